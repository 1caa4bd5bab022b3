import { Drive, freshState, handoffWish, origin } from '@colloquy/test-support/conversation'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Command } from '../../src/domain/conversation/command.ts'
import type { ConversationState } from '../../src/domain/conversation/state.ts'
import type { HandoffId } from '../../src/domain/ids.ts'
import { type OutgoingDraft, outgoingEvents, webhookBody } from '../../src/domain/webhook/outgoing.ts'

type Mode = 'server' | 'client'

/** A drive that notes what its decisions tell the outside. */
class ToldDrive extends Drive {
  readonly told: OutgoingDraft[] = []
  override send(command: Command) {
    const before = this.state
    const decision = super.send(command)
    if (decision.refused === null) this.told.push(...outgoingEvents(before, decision))
    return decision
  }
  toldTypes = () => this.told.map(({ type }) => type)
  lastTold = () => this.told.at(-1)?.data ?? {}
}

function greetedDrive(mode: Mode = 'server', kind: ConversationState['kind'] = 'messaging'): ToldDrive {
  const drive = new ToldDrive(freshState(mode, kind))
  drive.join()
  drive.reply()
  return drive
}

function handedOff(mode: Mode = 'server', kind: ConversationState['kind'] = 'messaging'): ToldDrive {
  const drive = greetedDrive(mode, kind)
  drive.say('A person, please')
  drive.reply(handoffWish)
  return drive
}

const handoffId = 'session-1.1'
const liveAgent = { id: 'agent-7', name: 'Ada', avatarUrl: '' }
const record = {
  conversation_id: 'session-1',
  account_id: 'ws-1',
  project_id: 'PROJECT-1',
  environment: 'live',
}
const wish = { reason: 'asked for a person', destination: 'reception' }
const queued = { handoff_id: 'session-1.1', queue_name: 'reception' }

describe('the end of a conversation', () => {
  const ends: Readonly<Record<string, readonly [string, (drive: ToldDrive) => void]>> = {
    'the visitor ends it': ['REASON_USER_END', drive => drive.done({ type: 'end', ...origin })],
    'the visitor vanishes': [
      'REASON_USER_ABANDONED',
      drive => {
        drive.now += 600_000
        drive.done({ type: 'wake' })
      },
    ],
    'the agent ends it': [
      'REASON_NATURAL_END',
      drive => {
        drive.say('Bye')
        drive.reply({ end: true })
      },
    ],
    'the host closes it': [
      'REASON_NATURAL_END',
      drive => drive.done({ type: 'close', reason: 'REASON_NATURAL_END' }),
    ],
    'the live agent leaves': [
      'REASON_NATURAL_END',
      drive => {
        drive.say('A person')
        drive.reply(handoffWish)
        drive.done({ type: 'live_agent_joined', handoffId, liveAgent })
        drive.done({ type: 'live_agent_left', handoffId, reason: null })
      },
    ],
  }

  test.each(Object.entries(ends))('WH1 it is told once: %s', (_, [reason, finish]) => {
    const drive = greetedDrive()
    drive.now += 5_000
    finish(drive)
    const completed = drive.told.filter(({ type }) => type === 'conversation.completed')
    expect(completed).toHaveLength(1)
    expect(drive.told.at(-1)).toBe(completed[0])
    expect(drive.lastTold()).toMatchObject({
      id: 'session-1',
      account_id: 'ws-1',
      project_id: 'PROJECT-1',
      in_progress: false,
      finished_at: new Date(drive.now).toISOString(),
      end_reason: reason,
    })
    expect(drive.lastTold()).not.toHaveProperty('turns')
    drive.send({ type: 'end', ...origin })
    drive.send({ type: 'close', reason: 'REASON_NATURAL_END' })
    drive.send({ type: 'wake' })
    expect(drive.toldTypes().filter(type => type === 'conversation.completed')).toHaveLength(1)
  })

  test('WH1 a conversation that is written when it is over is told too, and one that begins is not', () => {
    const state = freshState()
    expect(outgoingEvents(null, { state, events: [] })).toEqual([])
    const over: ConversationState = { ...state, endedAt: 2_000, endReason: 'REASON_NATURAL_END' }
    expect(outgoingEvents(null, { state: over, events: [] })).toMatchObject([
      { type: 'conversation.completed' },
    ])
  })

  test('WH1 debug conversations tell nothing', () => {
    const drive = handedOff('server', 'debug')
    expect(drive.state.endedAt).not.toBeNull()
    expect(drive.told).toEqual([])
  })

  test('WH5 a body is type, timestamp and data', () => {
    expect(JSON.parse(webhookBody('handoff.failed', 0, { a: 1 }))).toEqual({
      type: 'handoff.failed',
      timestamp: '1970-01-01T00:00:00.000Z',
      data: { a: 1 },
    })
  })
})

describe('handoffs', () => {
  test('WH1 into the queue of live agents', () => {
    const drive = handedOff()
    expect(drive.told).toEqual([
      { type: 'handoff.requested', data: { ...record, ...wish, mode: 'server', ...queued } },
    ])
  })

  test('WH1 to the visitor’s client', () => {
    const drive = handedOff('client')
    const data = { ...record, ...wish, mode: 'client', handoff_id: null, queue_name: 'reception' }
    expect(drive.told).toEqual([{ type: 'handoff.requested', data }])
  })

  test('WH1 in a channel without live agents, which ends the conversation', () => {
    const drive = handedOff('server', 'chat')
    expect(drive.toldTypes()).toEqual(['handoff.requested', 'conversation.completed'])
    expect(drive.told[0]?.data).toEqual({
      ...record,
      ...wish,
      mode: 'none',
      handoff_id: null,
      queue_name: null,
    })
  })

  test('WH1 a live agent takes the visitor, from the queue or before that was confirmed', () => {
    for (const confirmed of [true, false]) {
      const drive = handedOff()
      if (confirmed) drive.done({ type: 'handoff_accepted', handoffId })
      drive.done({ type: 'live_agent_joined', handoffId, liveAgent })
      drive.send({ type: 'live_agent_joined', handoffId, liveAgent })
      expect(drive.toldTypes()).toEqual(['handoff.requested', 'handoff.accepted'])
      const live_agent = { id: 'agent-7', name: 'Ada' }
      expect(drive.lastTold()).toEqual({ ...record, ...wish, ...queued, live_agent })
    }
  })

  test('WH1 a live agent gives the visitor back: with who it was, and why', () => {
    for (const reason of [null, 'solved']) {
      const drive = handedOff()
      drive.done({ type: 'live_agent_joined', handoffId, liveAgent })
      drive.done({ type: 'live_agent_returned', handoffId, reason })
      expect(drive.toldTypes()).toEqual(['handoff.requested', 'handoff.accepted', 'handoff.returned'])
      const live_agent = { id: 'agent-7', name: 'Ada' }
      const return_reason = reason ?? 'returned'
      expect(drive.lastTold()).toEqual({ ...record, ...wish, ...queued, live_agent, return_reason })
    }
  })

  test('WH1 a live agent gives the visitor to a colleague, then into a queue, where somebody takes them', () => {
    const drive = handedOff()
    const bob = { id: 'agent-8', name: 'Bob', avatarUrl: '' }
    drive.done({ type: 'live_agent_joined', handoffId, liveAgent })
    const to = { liveAgent: bob, acceptor: { type: 'person', id: 'agent-8' } } as const
    drive.done({ type: 'handoff_transferred', handoffId, to, reason: '' })
    expect(drive.lastTold()).toEqual({
      ...{ ...record, ...wish, ...queued, live_agent: { id: 'agent-7', name: 'Ada' } },
      ...{ to_handoff_id: handoffId, to_queue_name: 'reception' },
      ...{ to_live_agent: { id: 'agent-8', name: 'Bob' }, transfer_reason: null },
    })
    drive.done({
      type: 'handoff_transferred',
      handoffId,
      to: { queueName: 'sales' },
      reason: 'wants a quote',
    })
    expect(drive.lastTold()).toEqual({
      ...{ ...record, ...wish, ...queued, live_agent: { id: 'agent-8', name: 'Bob' } },
      ...{ to_handoff_id: 'session-1.2', to_queue_name: 'sales' },
      ...{ to_live_agent: null, transfer_reason: 'wants a quote' },
    })
    drive.done({ type: 'live_agent_joined', handoffId: 'session-1.2', liveAgent })
    expect(drive.toldTypes()).toEqual([
      ...['handoff.requested', 'handoff.accepted', 'handoff.transferred', 'handoff.transferred'],
      'handoff.accepted',
    ])
  })

  test('WH1 a failed handoff tells the cause', () => {
    const failed = handedOff()
    failed.done({ type: 'handoff_failed', handoffId, reason: 'closed today' })
    expect(failed.lastTold()).toEqual({
      ...record,
      ...wish,
      ...queued,
      cause: 'failed',
      failure_reason: 'closed today',
    })
    const late = handedOff()
    late.now += 300_000
    late.done({ type: 'wake' })
    expect(late.lastTold()).toMatchObject({ ...queued, cause: 'timed_out', failure_reason: null })
    const gone = handedOff()
    gone.done({ type: 'end', ...origin })
    expect(gone.toldTypes()).toEqual(['handoff.requested', 'handoff.failed', 'conversation.completed'])
    const data = { ...queued, cause: 'conversation_ended', failure_reason: 'REASON_USER_END' }
    expect(gone.told[1]?.data).toMatchObject(data)
  })
})

type Act = (drive: ToldDrive) => void

/** A visitor who is handed over and taken: rare among random steps. */
const taken: Act = drive => {
  drive.send({ type: 'join', pinning: null, ...origin })
  for (const reply of [{}, handoffWish]) {
    if (drive.state.turn === null) drive.send({ type: 'message', text: 'Hi', pinning: null, ...origin })
    if (drive.state.turn !== null) drive.reply(reply)
  }
  drive.send({ type: 'live_agent_joined', handoffId: drive.state.handoff?.id ?? handoffId, liveAgent })
}

/** Things that can happen, mostly at the right moment. */
const step: fc.Arbitrary<Act> = fc.oneof(
  fc.constant(taken),
  fc.constant((drive: ToldDrive) => drive.send({ type: 'join', pinning: null, ...origin })),
  fc.constant((drive: ToldDrive) => drive.send({ type: 'message', text: 'Hi', pinning: null, ...origin })),
  fc.constantFrom({}, handoffWish, handoffWish, { end: true }).map(reply => (drive: ToldDrive) => {
    if (drive.state.turn !== null) drive.reply(reply)
  }),
  fc
    .constantFrom<(id: HandoffId) => Command>(
      id => ({ type: 'handoff_accepted', handoffId: id }),
      id => ({ type: 'handoff_failed', handoffId: id, reason: null }),
      id => ({ type: 'live_agent_joined', handoffId: id, liveAgent }),
      id => ({ type: 'live_agent_left', handoffId: id, reason: null }),
      id => ({ type: 'live_agent_returned', handoffId: id, reason: null }),
      id => ({ type: 'handoff_transferred', handoffId: id, to: { queueName: 'sales' }, reason: '' }),
      id => ({
        ...{ type: 'handoff_transferred', handoffId: id, reason: 'knows it' },
        to: { liveAgent: { id: 'bob', name: 'Bob', avatarUrl: '' }, acceptor: { type: 'person', id: 'bob' } },
      }),
    )
    .map(command => (drive: ToldDrive) => drive.send(command(drive.state.handoff?.id ?? handoffId))),
  fc.constantFrom(1_000, 20_000, 310_000, 700_000).map(passed => (drive: ToldDrive) => {
    drive.now += passed
    drive.send({ type: 'wake' })
  }),
  fc.constant((drive: ToldDrive) => drive.send({ type: 'close', reason: 'REASON_NATURAL_END' })),
)

test('WH1 whatever happens: one end, one result for each handoff into a queue, and one return at most', () => {
  const modes = fc.constantFrom<Mode>('server', 'client')
  const kinds = fc.constantFrom<ConversationState['kind']>('messaging', 'messaging', 'chat', 'recorded')
  const seen = new Set<string>()
  const drawn = fc.tuple(modes, kinds, fc.array(step, { size: 'max', maxLength: 60 }))
  fc.assert(
    fc.property(modes, kinds, fc.array(step, { size: 'max', maxLength: 60 }), (mode, kind, steps) => {
      const drive = new ToldDrive(freshState(mode, kind))
      for (const act of steps) act(drive)
      const ended = drive.state.endedAt !== null
      const completed = drive.told.filter(({ type }) => type === 'conversation.completed')
      expect(completed).toHaveLength(ended ? 1 : 0)
      if (ended) expect(drive.told.at(-1)?.type).toBe('conversation.completed')
      const idsOf = (...types: string[]) =>
        drive.told.filter(({ type }) => types.includes(type)).map(({ data }) => data.handoff_id)
      // Into a queue a visitor comes from the agent, or from a live agent.
      const requested = drive.told.flatMap(({ type, data }) => {
        if (type === 'handoff.requested') return data.handoff_id === null ? [] : [data.handoff_id]
        return type === 'handoff.transferred' && data.to_live_agent === null ? [data.to_handoff_id] : []
      })
      const results = idsOf('handoff.accepted', 'handoff.failed')
      const open = drive.state.owner === 'queue' ? [drive.state.handoff?.id] : []
      expect([...results, ...open]).toEqual(requested)
      const ways = idsOf('handoff.accepted', 'handoff.returned')
      const returned = idsOf('handoff.returned')
      expect(new Set(returned).size).toBe(returned.length)
      for (const id of returned) expect(ways.filter(one => one === id)).toHaveLength(2)
      for (const { type } of drive.told) seen.add(type)
    }),
    // Drawn with a seed, so that each of the types is told for certain.
    { numRuns: 5_000, examples: fc.sample(drawn, { seed: 1, numRuns: 500 }) },
  )
  expect([...seen].sort()).toEqual([
    'conversation.completed',
    'handoff.accepted',
    'handoff.failed',
    'handoff.requested',
    'handoff.returned',
    'handoff.transferred',
  ])
})
