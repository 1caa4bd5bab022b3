/** Every table that statements name, and the sequences that statements name. */
export const TABLES = [
  'scope',
  'variant',
  'conversation_head',
  'conversation',
  'interval_block',
  'conversation_timer',
  'event',
  'client_event',
  'turn',
  'handoff',
  'handoff_wait',
  'waiting_line',
  'external_event',
  'embedder',
  'embedded_turns',
  'turn_vector',
  'message_key',
  'turn_row_seq',
  'handoff_place_seq',
] as const

/** Its name. */
export type Table = (typeof TABLES)[number]
