import type { OutboundCall } from '../domain/call/outbound-call.ts'
import type { TextPair } from '../domain/text/text-pair.ts'
import type { Voice } from '../domain/voice/voice.ts'
import type { Column, Kind } from './documents.ts'

const text = <T>(of: (value: T) => string | null): Column<T> => ({ type: 'text', of })
const number = <T>(of: (value: T) => number | null): Column<T> => ({ type: 'number', of })

/** Voices of accounts. */
export const VOICE: Kind<Voice> = {
  name: 'voice',
  id: ({ id }) => id,
  version: ({ version }) => version,
  columns: {
    account_id: text(({ accountId }) => accountId),
    created_at: number(({ createdAt }) => createdAt),
  },
  indexes: { account: ['account_id', 'created_at'] },
  goesWith: {},
}

/** The id of what is known of two numbers. */
export const pairId = (ours: string, theirs: string): string => JSON.stringify([ours, theirs])

/** Pairs of numbers that text each other. */
export const TEXT_PAIR: Kind<TextPair> = {
  name: 'text_pair',
  id: ({ ours, theirs }) => pairId(ours, theirs),
  version: ({ version }) => version,
  columns: { agent_id: text(({ agentId }) => agentId) },
  indexes: { agent: ['agent_id'] },
  goesWith: { agent: 'agent_id' },
}

/** Calls that agents make. */
export const OUTBOUND_CALL: Kind<OutboundCall> = {
  name: 'outbound_call',
  id: ({ id }) => id,
  version: ({ version }) => version,
  columns: { agent_id: text(({ agentId }) => agentId), due_at: number(({ dueAt }) => dueAt) },
  indexes: { agent: ['agent_id'], due: ['due_at'] },
  goesWith: { agent: 'agent_id', conversation: 'id' },
}

/** Every kind that is kept as documents, in the order of their tables. */
export const KINDS: readonly Kind<unknown>[] = [VOICE, TEXT_PAIR, OUTBOUND_CALL] as readonly Kind<never>[]
