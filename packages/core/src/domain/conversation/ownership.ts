import type { JournaledEventType } from './event.ts'
import type { Handoff, Owner } from './state.ts'

/** The signals that can move a conversation from one stage to another. */
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
  'live_agent_returns',
  'live_agent_transfers',
  'live_agent_vanishes',
  'visitor_ends',
  'visitor_vanishes',
  'outgrows',
  'closed',
] as const
export type Signal = (typeof SIGNALS)[number]

/** The owner of a conversation; of the queue, also whether the live-agent system has taken the visitor into it. */
export type Stage = Exclude<Owner, 'queue'> | 'requested' | 'waiting'

/**
 * The meaning of each stage: the owner of the conversation, and the status of its newest handoff if it ever had one.
 */
export const STAGES: Readonly<Record<Stage, { readonly owner: Owner; readonly handoff: Handoff['status'] }>> =
  {
    unassigned: { owner: 'unassigned', handoff: 'over' },
    ai_agent: { owner: 'ai_agent', handoff: 'over' },
    requested: { owner: 'queue', handoff: 'requested' },
    waiting: { owner: 'queue', handoff: 'waiting' },
    live_agent: { owner: 'live_agent', handoff: 'active' },
    client: { owner: 'client', handoff: 'over' },
    nobody: { owner: 'nobody', handoff: 'over' },
  }

/** One row: the next stage, the events in their order, and whether the conversation is over. */
export interface Move {
  readonly next: Stage
  readonly events: readonly JournaledEventType[]
  readonly ends: boolean
}

const to = (next: Stage, ...events: JournaledEventType[]): Move => ({ next, events, ends: false })
const end = (...events: JournaledEventType[]): Move => ({ next: 'nobody', events, ends: true })

/** Ways out that are open at every stage. */
const EXITS = {
  visitor_ends: end('USER_END_SESSION', 'SESSION_END'),
  visitor_vanishes: end('SESSION_END'),
  outgrows: end('SESSION_END'),
  closed: end('SESSION_END'),
} as const

/** Ways out of the queue, whether the request was accepted or not. */
const OUT_OF_THE_QUEUE = {
  ...EXITS,
  handoff_failed: to('nobody', 'HANDOFF_FAILED'),
  handoff_timed_out: to('nobody', 'HANDOFF_TIMEOUT'),
} as const

/** The visitor is not served until the AI agent joins. */
const UNSERVED = { ...EXITS, agent_joins: to('ai_agent', 'AI_AGENT_JOINED') } as const

/**
 * The ownership of a conversation as a table: stage × signal → next stage and events. A signal that has no row for the
 * stage is refused and changes nothing. Source: contract/messaging.md, Session, Handoff.
 *
 * The diagram in `docs/how-it-works/ownership.md` is generated from this table.
 */
export const OWNERSHIP: Readonly<Record<Stage, Readonly<Partial<Record<Signal, Move>>>>> = {
  unassigned: UNSERVED,
  ai_agent: {
    ...EXITS,
    agent_start_fails: to('nobody'),
    hands_off_to_queue: to('requested', 'AI_AGENT_TRIGGERED_HANDOFF', 'AI_AGENT_LEFT'),
    hands_off_to_client: to(
      'client',
      'AI_AGENT_TRIGGERED_HANDOFF',
      'CLIENT_HANDOFF_REQUIRED',
      'AI_AGENT_LEFT',
    ),
    hands_off_nowhere: end('AI_AGENT_TRIGGERED_HANDOFF', 'AI_AGENT_LEFT', 'SESSION_END'),
    agent_ends: end('SESSION_END'),
  },
  requested: {
    ...OUT_OF_THE_QUEUE,
    handoff_accepted: to('waiting', 'HANDOFF_ACCEPTED'),
    live_agent_joins: to('live_agent', 'HANDOFF_ACCEPTED', 'LIVE_AGENT_JOINED'),
  },
  waiting: {
    ...OUT_OF_THE_QUEUE,
    live_agent_joins: to('live_agent', 'LIVE_AGENT_JOINED'),
  },
  live_agent: {
    ...EXITS,
    live_agent_leaves: end('LIVE_AGENT_LEFT', 'SESSION_END'),
    // Clients in the field take LIVE_AGENT_LEFT for the end, and only SESSION_START opens the chat again (CM51).
    live_agent_transfers: to('waiting', 'LIVE_AGENT_LEFT', 'SESSION_START', 'HANDOFF_ACCEPTED'),
    live_agent_returns: to('ai_agent', 'LIVE_AGENT_LEFT', 'SESSION_START', 'AI_AGENT_JOINED'),
    live_agent_vanishes: end('LIVE_AGENT_LEFT', 'SESSION_END'),
  },
  client: UNSERVED,
  nobody: UNSERVED,
}

/** Returns the table as a Mermaid state diagram; the queue is drawn around its two stages. */
export function ownershipDiagram(): string {
  const lines = ['stateDiagram-v2', '  state queue {', '    requested', '    waiting', '  }']
  lines.push('  [*] --> unassigned : SESSION_START')
  for (const [stage, moves] of Object.entries(OWNERSHIP)) {
    for (const [signal, move] of Object.entries(moves)) {
      if (signal in EXITS) continue
      const label = [signal, ...move.events].join(' / ')
      lines.push(`  ${stage} --> ${move.ends ? '[*]' : move.next} : ${label}`)
    }
  }
  return lines.join('\n')
}
