import type { JournaledEventType } from './event.ts'
import type { Owner } from './state.ts'

/** What can move a conversation from one owner to another. */
export const SIGNALS = [
  'agent_joins',
  'agent_start_fails',
  'hands_off_to_queue',
  'hands_off_to_client',
  'hands_off_nowhere',
  'agent_ends',
  'handoff_accepted',
  'handoff_failed',
  'handoff_timed_out',
  'live_agent_joins',
  'live_agent_leaves',
  'visitor_ends',
  'visitor_vanishes',
  'closed',
] as const
export type Signal = (typeof SIGNALS)[number]

/** One row: who owns the conversation next, the events in their order, and whether it is over. */
export interface Move {
  readonly next: Owner
  readonly events: readonly JournaledEventType[]
  readonly ends: boolean
}

const to = (next: Owner, ...events: JournaledEventType[]): Move => ({ next, events, ends: false })
const end = (...events: JournaledEventType[]): Move => ({ next: 'nobody', events, ends: true })

/** Ways out that are open whoever owns the conversation. */
const EXITS = {
  visitor_ends: end('USER_END_SESSION', 'SESSION_END'),
  visitor_vanishes: end('SESSION_END'),
  closed: end('SESSION_END'),
} as const

/**
 * The ownership of a conversation as a table: owner × signal → next owner and events. A signal that has no row for the
 * owner is refused and changes nothing. Source: platform-api.md, Messaging session; decisions.md section 8, Handoff.
 *
 * The diagram in `docs/ownership.md` is generated from this table.
 */
export const OWNERSHIP: Readonly<Record<Owner, Readonly<Partial<Record<Signal, Move>>>>> = {
  unassigned: {
    ...EXITS,
    agent_joins: to('ai_agent', 'AI_AGENT_JOINED'),
  },
  ai_agent: {
    ...EXITS,
    agent_start_fails: to('nobody'),
    hands_off_to_queue: to('queue', 'AI_AGENT_TRIGGERED_HANDOFF', 'AI_AGENT_LEFT'),
    hands_off_to_client: to(
      'client',
      'AI_AGENT_TRIGGERED_HANDOFF',
      'CLIENT_HANDOFF_REQUIRED',
      'AI_AGENT_LEFT',
    ),
    hands_off_nowhere: end('AI_AGENT_TRIGGERED_HANDOFF', 'AI_AGENT_LEFT', 'SESSION_END'),
    agent_ends: end('SESSION_END'),
  },
  queue: {
    ...EXITS,
    handoff_accepted: to('queue', 'HANDOFF_ACCEPTED'),
    handoff_failed: to('nobody', 'HANDOFF_FAILED'),
    handoff_timed_out: to('nobody', 'HANDOFF_TIMEOUT'),
    live_agent_joins: to('live_agent', 'LIVE_AGENT_JOINED'),
  },
  live_agent: {
    ...EXITS,
    live_agent_leaves: end('LIVE_AGENT_LEFT', 'SESSION_END'),
  },
  client: {
    ...EXITS,
    agent_joins: to('ai_agent', 'AI_AGENT_JOINED'),
  },
  nobody: {
    ...EXITS,
    agent_joins: to('ai_agent', 'AI_AGENT_JOINED'),
  },
}

/** The table as a Mermaid state diagram. */
export function ownershipDiagram(): string {
  const lines = ['stateDiagram-v2', '  [*] --> unassigned : SESSION_START']
  for (const [owner, moves] of Object.entries(OWNERSHIP)) {
    for (const [signal, move] of Object.entries(moves)) {
      if (signal in EXITS) continue
      const label = [signal, ...move.events].join(' / ')
      lines.push(`  ${owner} --> ${move.ends ? '[*]' : move.next} : ${label}`)
    }
  }
  return lines.join('\n')
}
