import type { Command } from '../packages/core/src/domain/conversation/command.ts'
import { DEFAULT_RULES } from '../packages/core/src/domain/conversation/default-rules.ts'
import { initialState } from '../packages/core/src/domain/conversation/initial-state.ts'
import type { ConversationState } from '../packages/core/src/domain/conversation/state.ts'
import { transition } from '../packages/core/src/domain/conversation/transition.ts'
import { measure } from './measure.ts'

/** Decisions in one operation, so that the measuring itself is not measured. */
const TOGETHER = 1_000
const OPERATIONS = 300
const GOAL = 5

const NOW = Date.UTC(2026, 0, 1)
const ORIGIN = { sender: 'connection', custom: { local_id: '1' }, clientEventId: null, localId: 'local_id:1' }

let ids = 0
const decide = (state: ConversationState, command: Command): ConversationState => {
  const decision = transition(state, command, { now: NOW, id: `id-${++ids}`, rules: DEFAULT_RULES })
  if (decision.refused !== null) throw new Error(`${command.type} was refused: ${decision.refused}`)
  return decision.state
}

const message: Command = { type: 'message', text: 'How much is a room?', pinning: null, ...ORIGIN }
const liveAgent = { id: 'ada', name: 'Ada', avatarUrl: '' }

const reply = (state: ConversationState, handsOff = false): Command => ({
  type: 'turn_completed',
  turnId: state.turn?.id ?? 'none',
  generation: state.turn?.generation ?? 1,
  reply: {
    text: 'A room is 90 pounds a night.',
    messageId: 'reply',
    attachments: [],
    suggestions: [{ message_text: 'Book it' }],
    callActions: [],
    chunks: null,
    variables: { nights: 2 },
    metrics: {},
    integrationAttributes: {},
    setAttributes: {},
    language: null,
    expectedEvents: [],
    handoff: handsOff ? { destination: 'reception', reason: 'asked for a person' } : null,
    end: false,
    silence: false,
    outOfDomain: false,
    turn: { record: {}, details: {} },
  },
})

/** Conversations at the points that are measured. */
function situations() {
  const fresh = initialState(
    {
      id: 'session-1',
      kind: 'messaging',
      accountId: 'ws-1',
      agentId: 'PROJECT-1',
      environment: 'live',
      channel: 'CHAT',
      idleTimeout: 600_000,
      handoffSettings: { mode: 'server', queueName: 'reception', timeoutSeconds: 300 },
      pinning: {
        deploymentId: 'DEPLOYMENT-1',
        revision: 1,
        languageCode: 'en-GB',
        agentName: 'Front desk',
        variantId: 'VARIANT-1',
        variantName: 'default',
      },
    },
    NOW,
  )
  const joined = decide(fresh, { type: 'join', pinning: null, ...ORIGIN })
  const idle = decide(joined, reply(joined))
  const busy = decide(idle, message)
  let full = busy
  for (let waiting = 1; waiting < DEFAULT_RULES.queuedMessages; waiting++) full = decide(full, message)
  const handoffId = 'session-1.1'
  const queued = decide(busy, reply(busy, true))
  const talking = decide(queued, { type: 'live_agent_joined', handoffId, liveAgent })
  const live = decide(talking, { type: 'deliveries_done', through: 1, failed: [] })
  return { fresh, idle, busy, full, queued, live, handoffId }
}

/** Measures one decision of each kind. The goal is 5 µs. */
export async function benchTransition(): Promise<void> {
  const { fresh, idle, busy, full, queued, live, handoffId } = situations()
  const rows: readonly (readonly [name: string, state: ConversationState, command: Command])[] = [
    ['a join', fresh, { type: 'join', pinning: null, ...ORIGIN }],
    ['a message to a free agent', idle, message],
    ['the reply', busy, reply(busy)],
    ['a message behind 49 others', full, message],
    ['the reply before 49 others', full, reply(full)],
    ['a reply that hands off', busy, reply(busy, true)],
    ['a reply that hands off, before 49 others', full, reply(full, true)],
    ['a live agent joins', queued, { type: 'live_agent_joined', handoffId, liveAgent }],
    ['a message to a live agent', live, message],
    ['a sign of life', idle, { type: 'seen', seenAt: NOW + 1 }],
    ['a wake-up that finds nothing', idle, { type: 'wake' }],
    ['the end', busy, { type: 'end', ...ORIGIN }],
  ]
  console.log(`\nThe conversation machine, µs CPU a decision; the goal is at most ${GOAL}`)
  for (const [name, state, command] of rows) {
    const { cpuMicroseconds } = await measure(name, OPERATIONS, 1, () => {
      for (let decision = 0; decision < TOGETHER; decision++) decide(state, command)
    })
    const each = cpuMicroseconds / TOGETHER
    console.log(`${name.padEnd(44)} ${each.toFixed(2).padStart(8)}  ${each <= GOAL ? 'met' : 'missed'}`)
  }
}
