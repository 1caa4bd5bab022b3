import type { DeskFrame } from '../../packages/core/src/http/answers/desk-events.ts'
import { deskEventOnWire } from '../../packages/core/src/http/desk-wire.ts'
import { createMemoryStore } from '../../packages/core/src/memory/index.ts'
import { createPlatform, type Platform } from '../../packages/core/src/platform.ts'
import { silentLog } from '../../packages/core/src/ports/log.ts'
import {
  createFakeClock,
  createScriptedAssistant,
  createScriptedRuntime,
  createSequentialIds,
  type FakeClock,
  type ReceivedEvent,
  type Script,
} from '../../packages/core/src/testing/index.ts'
import { openVisitor, type Visitor } from '../../test-support/src/visitor.ts'

/** A frame of a client. */
export interface ClientFrame {
  readonly type: string
  readonly payload: object
  readonly metadata?: { readonly custom: Readonly<Record<string, string>> }
}

/** Frames that clients sent and received in conversations that show everything a socket carries. */
export interface WireExamples {
  readonly sent: readonly ClientFrame[]
  readonly received: readonly ReceivedEvent[]
  /** Frames that a live agent received in the meantime. */
  readonly desk: readonly DeskFrame[]
}

const handoff = (destination: string) =>
  ({ type: 'handoff', destination, reason: 'asked for a person' }) as const

const SCRIPT: Script = {
  greeting: 'Welcome to the harbour office.',
  messages: {
    'When do you open?': [
      'We open at nine.',
      { type: 'suggestion', text: 'And on Sundays?' },
      {
        type: 'attachment',
        attachment: {
          ...{ title: 'Opening hours', contentType: 'url', contentUrl: 'https://harbour.example/hours' },
          ...{ previewImageUrl: '', callToActionText: 'Read' },
        },
      },
      { type: 'call_action', action: { title: 'Call us', contactNumber: '+44 20 7946 0018' } },
    ],
    'Tell me of the tides': [
      'High water is at noon. ',
      { type: 'wait', milliseconds: 60 },
      'Low water is at six.',
    ],
    'Sprechen Sie Deutsch?': [{ type: 'language', languageCode: 'de-DE' }, 'Ja.'],
    'A person, please': ['One moment.', handoff('reception')],
  },
}

const ADA = { id: 'agent-7', name: 'Ada', avatarUrl: 'https://harbour.example/ada.png' }

/** Says something of a visitor's client, and keeps what it said. */
async function say(
  visitor: Visitor,
  sent: ClientFrame[],
  type: string,
  payload: object,
  id?: string,
): Promise<void> {
  const custom = id === undefined ? undefined : { client_event_id: id }
  await visitor.send(type, payload, custom)
  sent.push({
    type: `EVENT_TYPE_${type}`,
    payload,
    ...(custom === undefined ? {} : { metadata: { custom } }),
  })
}

/** Questions and answers, a mistake of the client, and the end. */
async function conversation(visitor: Visitor, sent: ClientFrame[]): Promise<void> {
  await say(visitor, sent, 'REQUEST_AI_AGENT_JOIN', {})
  await say(visitor, sent, 'HEARTBEAT', { n: 1 })
  await say(visitor, sent, 'SET_CONTEXT', { token: 'eyJ…' })
  await say(visitor, sent, 'LINK_TO_WEBRTC_CONVERSATION', {
    call_sid: '0b0f7a52-6a0e-4a2b-9c1d-3f5e8d7c6b5a',
  })
  await say(visitor, sent, 'USER_MESSAGE', { text: 'When do you open?' }, 'c-1')
  await say(visitor, sent, 'USER_TYPING', { state: 'TYPING_STATE_STARTED' })
  await visitor.say('Sprechen Sie Deutsch?')
  await visitor.send('SESSION_START', {})
  await say(visitor, sent, 'USER_END_SESSION', {})
}

/** A visitor who waits for a person. */
async function waiting(platform: Platform, clock: FakeClock): Promise<Visitor> {
  const visitor = await openVisitor(platform, clock)
  await visitor.join()
  await visitor.say('A person, please')
  return visitor
}

/** A live agent comes, writes and leaves. */
async function withLiveAgent(
  platform: Platform,
  clock: FakeClock,
  visitor: Visitor,
  told: DeskFrame[],
): Promise<void> {
  const { desk } = platform
  const stop = await desk.watch(visitor.accountId, event => told.push(deskEventOnWire(event)))
  const [first] = await desk.handoffs(visitor.accountId, 'waiting')
  if (first === undefined) throw new Error('No visitor is waiting.')
  await desk.accept(visitor.accountId, first.handoffId, ADA)
  await desk.typing(visitor.accountId, first.handoffId, 'started')
  await desk.send(visitor.accountId, first.handoffId, { text: 'Ada here. How can I help?' })
  await clock.settle()
  await visitor.typing('started')
  await visitor.say('Is the north pier open?')
  const note = { text: 'Asks for the pier.', author: { id: ADA.id, name: ADA.name } }
  await desk.writeNote(visitor.accountId, { handoffId: first.handoffId }, note)
  await desk.setAway(visitor.accountId, ADA.id, true)
  await clock.settle()
  await desk.leave(visitor.accountId, first.handoffId)
  await desk.setAway(visitor.accountId, ADA.id, false)
  await desk.assignments.set(visitor.accountId, 'reception', { mode: 'round_robin' })
  const getUp = await desk.watch(visitor.accountId, () => {}, { liveAgentId: ADA.id, name: ADA.name })
  const next = await waiting(platform, clock)
  await clock.settle()
  await next.drop()
  await clock.settle()
  getUp()
  await desk.assignments.remove(visitor.accountId, 'reception')
  await clock.settle()
  stop()
}

/** Runs the conversations on a platform of its own, with a clock and ids that are the same each time. */
export async function wireExamples(): Promise<WireExamples> {
  const clock = createFakeClock()
  const platform = createPlatform({
    ...{ store: createMemoryStore(), clock, ids: createSequentialIds(), log: silentLog, rateLimits: null },
    runtime: createScriptedRuntime(SCRIPT, clock),
    deskAssistant: createScriptedAssistant(),
  })
  const sent: ClientFrame[] = []
  const visitors: Visitor[] = []
  const desk: DeskFrame[] = []
  const opened = async (visitor: Promise<Visitor>): Promise<Visitor> => {
    visitors.push(await visitor)
    return visitor
  }

  await conversation(await opened(openVisitor(platform, clock)), sent)

  const streaming = await opened(openVisitor(platform, clock, true))
  await streaming.join()
  await streaming.say('Tell me of the tides')
  await clock.advance(1_000)

  await withLiveAgent(platform, clock, await opened(waiting(platform, clock)), desk)

  const rejected = await opened(waiting(platform, clock))
  for (const { handoffId } of await platform.desk.handoffs(rejected.accountId, 'waiting'))
    await platform.desk.reject(rejected.accountId, handoffId, 'everyone is busy')

  await opened(waiting(platform, clock))
  await clock.advance(301_000)

  const { connectors } = await platform.access.connectors()
  for (const { id } of connectors) await platform.access.updateConnector(id, { handoff: { mode: 'client' } })
  await opened(waiting(platform, clock))
  await clock.advance(600_000)

  const received = visitors.flatMap(visitor => [...visitor.frames.slice(0, 1), ...visitor.received])
  await platform.close()
  return { sent, received, desk }
}
