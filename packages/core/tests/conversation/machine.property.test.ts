import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Command } from '../../src/domain/conversation/command.ts'
import { OWNERS, type TurnInput } from '../../src/domain/conversation/state.ts'
import { wakeAt } from '../../src/domain/conversation/wake.ts'
import { asId, type HandoffId, type TurnId } from '../../src/domain/ids.ts'
import { Drive, freshState, handoffWish, origin, textReply } from './support.ts'

type Step =
  | { readonly do: 'command'; readonly make: (drive: Drive) => Command }
  | { readonly do: 'wait'; readonly milliseconds: number }

const command = (make: (drive: Drive) => Command): Step => ({ do: 'command', make })
const handoffId = (drive: Drive, over: boolean): HandoffId =>
  asId(over ? 'session-1.99' : (drive.state.handoff?.id ?? 'session-1.1'))
const turnOf = (drive: Drive, behind: number) => ({
  turnId: asId<TurnId>(drive.state.turn?.id ?? 'none'),
  generation: (drive.state.turn?.generation ?? 1) - behind,
})

const replies = fc.constantFrom(
  {},
  handoffWish,
  { end: true, text: 'Bye.' },
  { text: '', expectedEvents: ['event'] },
  { chunks: ['Hel', 'lo.'] },
)
const behind = fc.constantFrom(0, 0, 0, 1)
const liveAgent = { id: 'a1', name: 'Ada', avatarUrl: '' }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(command(() => ({ type: 'join', pinning: null, ...origin }))) },
  {
    weight: 5,
    arbitrary: fc.constant(command(() => ({ type: 'message', text: 'x', pinning: null, ...origin }))),
  },
  {
    weight: 5,
    arbitrary: fc.tuple(replies, behind).map(([reply, lag]) =>
      command(drive => ({
        type: 'turn_completed',
        ...turnOf(drive, lag),
        reply: textReply('Hello.', reply),
      })),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('start', 'reply', 'stream'), behind)
      .map(([failure, lag]) =>
        command(drive => ({ type: 'turn_failed', ...turnOf(drive, lag), failure, custom: null, turn: null })),
      ),
  },
  { weight: 1, arbitrary: fc.constant(command(drive => ({ type: 'turn_alive', ...turnOf(drive, 0) }))) },
  {
    weight: 4,
    arbitrary: fc
      .integer({ min: 1, max: 700_000 })
      .map(milliseconds => ({ do: 'wait' as const, milliseconds })),
  },
  { weight: 4, arbitrary: fc.constant({ do: 'wait', milliseconds: 15_000 } as const) },
  { weight: 2, arbitrary: fc.constant(command(drive => ({ type: 'seen', seenAt: drive.now }))) },
  { weight: 1, arbitrary: fc.constant(command(() => ({ type: 'typing', state: 'started' }))) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          'handoff_accepted',
          'live_agent_joined',
          'live_agent_message',
          'live_agent_watched',
          'live_agent_left',
          'handoff_failed',
          'queue_status',
        ),
        fc.boolean(),
      )
      .map(([type, over]) =>
        command(drive => {
          const id = handoffId(drive, over && drive.now % 3 === 0)
          switch (type) {
            case 'live_agent_joined':
              return { type, handoffId: id, liveAgent }
            case 'live_agent_message':
              return { type, handoffId: id, messageId: `m${drive.log.length}`, text: 'Hi', attachments: [] }
            case 'live_agent_watched': {
              const socket = drive.log.length % 2 === 0 ? 'open' : 'closed'
              return { type, handoffId: id, liveAgentId: liveAgent.id, socket }
            }
            case 'queue_status':
              return { type, handoffId: id, position: 1, estimatedWaitSeconds: null }
            case 'handoff_accepted':
              return { type, handoffId: id }
            default:
              return { type, handoffId: id, reason: null }
          }
        }),
      ),
  },
  {
    weight: 3,
    arbitrary: fc.boolean().map(fails =>
      command(drive => ({
        type: 'deliveries_done',
        through: drive.state.deliveries[0]?.number ?? 0,
        failed: fails ? [drive.state.deliveries[0]?.number ?? 0] : [],
      })),
    ),
  },
  { weight: 2, arbitrary: fc.constant(command(() => ({ type: 'external_event', eventId: 'event' }))) },
  { weight: 1, arbitrary: fc.constant(command(() => ({ type: 'end', ...origin }))) },
)

/** Where each message that was taken stands: exactly one place each. */
class Ledger {
  readonly taken = new Set<string>()
  /** Messages that wait for nobody any more. */
  readonly settled = new Set<string>()
  /** How many replies were taken for each message. */
  readonly replies = new Map<string, number>()

  private waiting(drive: Drive): readonly string[] {
    const { turn, queue, deliveries } = drive.state
    const inputs = [turn?.input, ...queue].flatMap(input =>
      input?.type === 'message' ? [input.messageId] : [],
    )
    const forwards = deliveries.flatMap(({ call }) => (call.type === 'forward' ? [call.messageId] : []))
    return [...inputs, ...forwards]
  }

  /** Counts the reply that `sent` brought for the turn that ran before it. */
  count(drive: Drive, sent: Command, input: TurnInput | undefined): void {
    if (sent.type !== 'turn_completed' || drive.last.refused !== null || input?.type !== 'message') return
    this.replies.set(input.messageId, (this.replies.get(input.messageId) ?? 0) + 1)
  }

  check(drive: Drive, sent: Command, before: readonly string[]): void {
    const { last } = drive
    if (last.refused !== null) return
    for (const { type, payload } of last.events) {
      if (type === 'USER_MESSAGE') this.taken.add(String(payload.message_id))
    }
    const after = this.waiting(drive)
    expect(new Set(after).size).toBe(after.length)
    const gone = [
      ...new Set([...before, ...(sent.type === 'message' ? [...this.taken].slice(-1) : [])]),
    ].filter(id => !after.includes(id) && !this.settled.has(id))
    for (const id of gone) this.settled.add(id)
    if (drive.state.endedAt !== null || gone.length === 0) return
    const stated = last.transients.filter(({ type }) => type === 'SYSTEM_MESSAGE').length
    const replied = sent.type === 'turn_completed' ? 1 : 0
    const handedOver = sent.type === 'deliveries_done' ? gone.length : 0
    // A handoff that ends drops what was meant for its live agent: its own event says so.
    const dropped = last.events.some(({ type }) => type === 'HANDOFF_FAILED' || type === 'HANDOFF_TIMEOUT')
    expect(dropped || replied + stated + handedOver >= gone.length).toBe(true)
  }

  open(drive: Drive): readonly string[] {
    return this.waiting(drive)
  }
}

function checkInvariants(drive: Drive): void {
  const { state, log } = drive
  expect(OWNERS).toContain(state.owner)
  expect(state.sequence).toBe(log.length)
  const ends = log.filter(({ type }) => type === 'SESSION_END').length
  expect(ends).toBe(state.endedAt === null ? 0 : 1)
  if (state.endedAt !== null) {
    expect(log.at(-1)?.type).toBe('SESSION_END')
    expect(state).toMatchObject({ owner: 'nobody', turn: null, queue: [], awaiting: [] })
  } else {
    expect(wakeAt(state)).not.toBeNull()
  }
  if (state.turn !== null) expect(state.owner).toBe('ai_agent')
  if (state.owner === 'ai_agent' && state.turn === null) expect(state.queue).toEqual([])
  if (state.handoff?.status === 'active' && state.handoff.attendedUntil !== null)
    expect(wakeAt(state)).toBeLessThanOrEqual(state.handoff.attendedUntil)
  if (state.owner === 'queue') expect(['requested', 'waiting']).toContain(state.handoff?.status)
  else if (state.owner === 'live_agent') expect(state.handoff?.status).toBe('active')
  else if (state.handoff !== null) expect(state.handoff.status).toBe('over')
  expect(state.record.aiSince === null).toBe(state.owner !== 'ai_agent')
}

it('CM40 whatever happens: one owner, a log without gaps, and one fate for every message that was taken', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('server', 'client'),
      fc.array(step, { maxLength: 80, size: 'max' }),
      (mode, steps) => {
        const drive = new Drive(freshState(mode))
        const ledger = new Ledger()
        const send = (sent: Command): void => {
          const before = ledger.open(drive)
          const input = drive.state.turn?.input
          drive.send(sent)
          ledger.count(drive, sent, input)
          ledger.check(drive, sent, before)
          checkInvariants(drive)
        }
        for (const next of steps) {
          if (next.do === 'command') send(next.make(drive))
          else {
            drive.now += next.milliseconds
            const due = wakeAt(drive.state)
            if (due !== null && due <= drive.now) send({ type: 'wake' })
          }
        }
        // Left alone, every conversation comes to its end: nothing waits for ever.
        for (let rounds = 0; rounds < 50 && drive.state.endedAt === null; rounds++) {
          drive.now = Math.max(drive.now, wakeAt(drive.state) ?? drive.now)
          send({ type: 'wake' })
        }
        expect(drive.state.endedAt).not.toBeNull()
        expect([...ledger.replies.values()].filter(count => count !== 1)).toEqual([])
        expect(ledger.settled.size).toBe(ledger.taken.size)
      },
    ),
    { numRuns: 2_000 },
  )
}, 120_000)

it('CM41 the same state, command and moment give the same decision, and the state is never changed in place', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40, size: 'max' }), steps => {
      const drive = new Drive(freshState())
      const twin = new Drive(freshState())
      for (const next of steps) {
        if (next.do !== 'command') continue
        const frozen = structuredClone(drive.state)
        const before = drive.state
        const sent = next.make(drive)
        expect(twin.send(sent)).toEqual(drive.send(sent))
        expect(before).toEqual(frozen)
      }
    }),
    { numRuns: 300 },
  )
})
