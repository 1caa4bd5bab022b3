import { Drive, freshState, greeted, handoffWish, origin, RULES } from '@colloquy/test-support/conversation'
import { describe, expect, it } from 'vitest'
import type { Command } from '../../src/domain/conversation/command.ts'
import { FAILURE_TEXT } from '../../src/domain/conversation/pending-inputs.ts'
import { withChanges } from '../../src/domain/conversation/state-changes.ts'
import { wakeAt } from '../../src/domain/conversation/wake.ts'
import { textReply } from '../../src/testing/arbitraries/index.ts'

const liveAgent = { id: 'a1', name: 'Ada', avatarUrl: '' }

describe('the visitor', () => {
  it('CM1 a join is echoed, brings the agent in and starts the greeting', () => {
    const drive = new Drive(freshState())
    const decision = drive.join()
    expect(drive.types()).toEqual(['REQUEST_AI_AGENT_JOIN', 'AI_AGENT_JOINED'])
    expect(decision.transients.map(({ type }) => type)).toEqual(['AI_AGENT_THINKING'])
    expect(drive.state.turn?.input.type).toBe('greeting')
    expect(drive.state.owner).toBe('ai_agent')
  })

  it('CM1 a second join is echoed and changes nothing else', () => {
    const drive = greeted()
    const before = drive.state
    drive.join()
    expect(drive.types().at(-1)).toBe('REQUEST_AI_AGENT_JOIN')
    expect(drive.state).toEqual({ ...before, sequence: before.sequence + 1, bytes: drive.state.bytes })
  })

  it('CM1 a join without a deployment is refused and leaves nothing', () => {
    const drive = new Drive({ ...freshState(), deploymentId: null, revision: null })
    expect(drive.send({ type: 'join', pinning: null, ...origin })).toEqual({ refused: 'no_deployment' })
    expect(drive.log).toEqual([])
  })

  it('CM1 a message before a join is refused', () => {
    const drive = new Drive(freshState())
    expect(drive.send({ type: 'message', text: 'Hello', pinning: null, ...origin })).toEqual({
      refused: 'not_joined',
    })
  })

  it('CM5 messages that come while the agent replies queue, and each gets its own reply in order', () => {
    const drive = greeted()
    drive.say('one')
    drive.say('two')
    drive.say('three')
    const answered: (number | null)[] = []
    while (drive.state.turn !== null) {
      const { input } = drive.state.turn
      answered.push(input.type === 'message' ? input.sequence : null)
      drive.reply()
    }
    const asked = drive.log.flatMap(({ type }, index) => (type === 'USER_MESSAGE' ? [index + 1] : []))
    expect(answered).toEqual(asked)
    expect(drive.types().filter(type => type === 'AI_AGENT_MESSAGE')).toHaveLength(4)
  })

  it('CM5 more waiting messages than the limit are refused', () => {
    const drive = greeted()
    drive.say('answered now')
    for (let index = 0; index < RULES.queuedMessages; index++) drive.say('waits')
    expect(drive.send({ type: 'message', text: 'too many', pinning: null, ...origin })).toEqual({
      refused: 'overloaded',
    })
  })

  it('CM7 the end is echoed and final, and stops the running turn', () => {
    const drive = greeted()
    drive.say('Hello')
    const turnId = drive.state.turn?.id
    const decision = drive.done({ type: 'end', ...origin })
    expect(drive.types().slice(-2)).toEqual(['USER_END_SESSION', 'SESSION_END'])
    expect(drive.log.at(-1)?.payload).toEqual({ reason: 'REASON_USER_END' })
    expect(decision.effects).toContainEqual({ type: 'cancel_turn', turnId })
    expect(drive.send({ type: 'message', text: 'still there?', pinning: null, ...origin }).refused).toBe(
      'ended',
    )
    expect(wakeAt(drive.state)).toBeNull()
  })
})

describe('turns', () => {
  it('CM10 a reply of a generation that lost its lease is refused', () => {
    const drive = greeted()
    drive.say('Hello')
    const turn = drive.state.turn
    if (turn === null) throw new Error('no turn')
    drive.now = turn.leaseUntil
    const decision = drive.done({ type: 'wake' })
    expect(decision.effects).toEqual([{ type: 'run_turn', turnId: turn.id, generation: 2 }])
    const late = { type: 'turn_completed', turnId: turn.id, generation: 1, reply: textReply('late') } as const
    expect(drive.send(late)).toEqual({ refused: 'fenced' })
    drive.reply({ text: 'in time' })
    expect(drive.log.at(-1)?.payload.text).toBe('in time')
    expect(drive.send(late)).toEqual({ refused: 'fenced' })
  })

  it('CM10 a turn that loses its lease too often has failed, and the next message is answered', () => {
    const drive = greeted()
    drive.say('deadly')
    drive.say('harmless')
    for (let attempt = 1; attempt <= RULES.turnAttempts; attempt++) {
      drive.now += RULES.turnLease
      drive.done({ type: 'wake' })
    }
    expect(drive.last.refused === null && drive.last.transients[0]?.payload.message).toBe(FAILURE_TEXT.reply)
    expect(drive.state.turn?.generation).toBe(1)
    drive.reply()
    expect(drive.state.turn).toBeNull()
  })

  it('FN40 a failed turn is recorded once and counted, and nothing else of it is kept', () => {
    const drive = greeted()
    drive.say('Hello')
    const before = drive.state
    const turn = { record: { user_input: 'Hello' }, details: { error: 'no model' } }
    const failure = { type: 'turn_failed', failure: 'reply', custom: null, turn } as const
    const holder = { turnId: before.turn?.id ?? 'none', generation: 1 }
    expect(drive.done({ ...failure, ...holder }).turns).toEqual([turn])
    expect(drive.state.record).toEqual({ ...before.record, turns: before.record.turns + 1 })
    expect(drive.state.variables).toBe(before.variables)
    expect(drive.send({ ...failure, ...holder })).toEqual({ refused: 'fenced' })
    drive.say('Again')
    const next = drive.done({
      ...failure,
      turnId: drive.state.turn?.id ?? 'none',
      generation: 1,
      turn: null,
    })
    expect(next.turns).toEqual([])
    expect(drive.state.record.turns).toBe(before.record.turns + 1)
  })

  it('CM12 a failed turn journals nothing and tells the sender alone', () => {
    const drive = greeted()
    drive.say('Hello')
    const logged = drive.log.length
    const turn = drive.state.turn
    if (turn === null) throw new Error('no turn')
    const decision = drive.done({
      type: 'turn_failed',
      turnId: turn.id,
      generation: 1,
      failure: 'reply',
      custom: { local_id: 'x' },
      turn: null,
    })
    expect(drive.log).toHaveLength(logged)
    expect(decision.transients).toEqual([
      {
        type: 'SYSTEM_MESSAGE',
        payload: { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: FAILURE_TEXT.reply },
        custom: { local_id: 'x' },
        to: 'connection-1',
        orSince: logged,
      },
    ])
  })

  it('CM12 after a failed start nobody serves the visitor; the next join greets', () => {
    const drive = new Drive(freshState())
    drive.join()
    const turn = drive.state.turn
    if (turn === null) throw new Error('no turn')
    drive.done({
      type: 'turn_failed',
      turnId: turn.id,
      generation: 1,
      failure: 'start',
      custom: null,
      turn: null,
    })
    expect(drive.state.owner).toBe('nobody')
    drive.join()
    expect(drive.types().slice(-2)).toEqual(['REQUEST_AI_AGENT_JOIN', 'AI_AGENT_JOINED'])
    expect(drive.state.turn?.input.type).toBe('greeting')
  })

  it('a stream ends with one complete chunk that knows those before it', () => {
    const drive = greeted()
    drive.say('Hello')
    drive.reply({ text: 'one two', chunks: ['one ', 'two'] })
    expect(drive.log.at(-1)).toMatchObject({
      type: 'AI_AGENT_MESSAGE_CHUNK',
      payload: { text: 'two', chunks: ['one '], chunk_index: 2, is_complete: true },
    })
  })

  it('CM15 a turn may delay its reply; the external event gets a turn of its own, once', () => {
    const drive = greeted()
    drive.say('I want to pay')
    const logged = drive.log.length
    drive.reply({ text: '', expectedEvents: ['event-1'] })
    expect(drive.log).toHaveLength(logged)
    expect(wakeAt(drive.state)).toBe(drive.now)
    const decision = drive.done({ type: 'external_event', eventId: 'event-1' })
    expect(decision.deliveredExternalEvents).toEqual(['event-1'])
    expect(drive.send({ type: 'external_event', eventId: 'event-1' })).toEqual({ refused: 'not_awaited' })
    drive.reply({ text: 'The payment went through.' })
    expect(drive.log.at(-1)?.payload.text).toBe('The payment went through.')
  })
})

describe('external events and owners', () => {
  it('CM15 an event that comes while a human has the visitor waits until the agent is back', () => {
    const drive = greeted()
    drive.say('I want to pay')
    drive.reply({ text: '', expectedEvents: ['event-1'] })
    drive.say('A person, please')
    drive.reply({ text: 'One moment.', ...handoffWish })
    expect(drive.send({ type: 'external_event', eventId: 'event-1' })).toEqual({ refused: 'not_awaited' })
    drive.done({ type: 'handoff_failed', handoffId: 'session-1.1', reason: null })
    drive.say('Still there?')
    expect(wakeAt(drive.state)).toBe(drive.now)
    drive.reply()
    drive.done({ type: 'external_event', eventId: 'event-1' })
    expect(drive.state.turn?.input).toMatchObject({ type: 'external_event', eventId: 'event-1' })
  })
})

describe('decisions', () => {
  it('a decision keeps every field of the state that it does not change', () => {
    // What a later version has stored is not known here; what this version knows must all be there.
    for (const { state } of [new Drive(freshState()), greeted(), greeted('client', 'debug')]) {
      expect(withChanges(state, {})).toEqual(state)
      expect(withChanges(state, { greeted: true })).toEqual({ ...state, greeted: true })
    }
  })
})

describe('the handoff', () => {
  const inQueue = (): Drive => {
    const drive = greeted()
    drive.say('A person, please')
    drive.reply({ text: 'One moment.', ...handoffWish })
    drive.done({ type: 'deliveries_done', through: drive.state.deliveryNumber, failed: [] })
    return drive
  }
  const handoffId = 'session-1.1'

  it('CM20 server-managed: the events come in the order of the contract', () => {
    const drive = inQueue()
    drive.done({ type: 'handoff_accepted', handoffId })
    drive.done({ type: 'live_agent_joined', handoffId, liveAgent })
    drive.done({ type: 'live_agent_message', handoffId, messageId: 'm1', text: 'Hi', attachments: [] })
    drive.done({ type: 'live_agent_left', handoffId, reason: null })
    expect(drive.types().slice(-7)).toEqual([
      'AI_AGENT_TRIGGERED_HANDOFF',
      'AI_AGENT_LEFT',
      'HANDOFF_ACCEPTED',
      'LIVE_AGENT_JOINED',
      'LIVE_AGENT_MESSAGE',
      'LIVE_AGENT_LEFT',
      'SESSION_END',
    ])
    expect(drive.log.at(-1)?.payload).toEqual({ reason: 'REASON_NATURAL_END' })
  })

  it('CM20 client-managed: the client is told to route, and the next message brings the agent back without greeting', () => {
    const drive = greeted('client')
    drive.say('A person, please')
    drive.reply({ text: '', ...handoffWish })
    expect(drive.types().slice(-3)).toEqual([
      'AI_AGENT_TRIGGERED_HANDOFF',
      'CLIENT_HANDOFF_REQUIRED',
      'AI_AGENT_LEFT',
    ])
    expect(drive.log.at(-2)?.payload).toEqual({
      reason: 'AGENT_DECISION',
      queue_name: 'reception',
      route: 'reception',
    })
    drive.say('Nobody there?')
    expect(drive.types().slice(-2)).toEqual(['USER_MESSAGE', 'AI_AGENT_JOINED'])
    expect(drive.state.turn?.input).toMatchObject({ type: 'message', sequence: drive.state.sequence - 1 })
  })

  describe('back to the AI agent', () => {
    const talking = (): Drive => {
      const drive = inQueue()
      drive.done({ type: 'handoff_accepted', handoffId })
      drive.done({ type: 'live_agent_joined', handoffId, liveAgent })
      return drive
    }
    const back = { type: 'live_agent_returned', handoffId, reason: null } as const

    it('CM22 the live agent leaves, the AI agent joins without a greeting, and the next message is its own', () => {
      const drive = talking()
      const decision = drive.done(back)
      expect(drive.log.slice(-3).map(({ type, payload }) => [type, payload])).toEqual([
        ['LIVE_AGENT_LEFT', { reason: 'returned' }],
        ['SESSION_START', { capabilities: expect.objectContaining({ streaming: false }) }],
        ['AI_AGENT_JOINED', { agent_name: 'Front desk', agent_avatar_url: '', avatar: '' }],
      ])
      expect(decision.effects).toEqual([{ type: 'queue_changed' }])
      expect([drive.state.owner, drive.state.handoff?.status, drive.state.turn]).toEqual([
        'ai_agent',
        'over',
        null,
      ])
      expect(drive.send(back).refused).toBe('handoff_over')
      drive.say('Thanks')
      expect(drive.state.turn?.input).toMatchObject({ type: 'message', sequence: drive.state.sequence })
      drive.reply({ text: 'One moment.', ...handoffWish })
      expect(drive.state.handoff).toMatchObject({ id: 'session-1.2', status: 'requested', liveAgent: null })
    })

    it('CM22 messages that are not known to have arrived are answered in order, those that have are not', () => {
      const drive = talking()
      for (const text of ['has arrived', 'first', 'second']) drive.say(text)
      const [arrived] = drive.state.deliveries
      drive.done({ type: 'deliveries_done', through: arrived?.number ?? 0, failed: [] })
      const asked = drive.state.deliveries.map(({ call }) => (call.type === 'forward' ? call.sequence : null))
      expect(asked).toHaveLength(2)
      drive.now += 1_000
      const decision = drive.done({ ...back, reason: 'solved' })
      expect(drive.log.at(-3)?.payload).toEqual({ reason: 'solved' })
      expect(decision.effects.map(({ type }) => type)).toContain('run_turn')
      const answered: (number | null)[] = []
      while (drive.state.turn !== null) {
        const { input } = drive.state.turn
        answered.push(input.type === 'message' ? input.sequence : null)
        expect(input).toMatchObject({ receivedAt: drive.now })
        drive.reply()
      }
      expect(answered).toEqual(asked)
      // What the process that was calling reports late changes nothing.
      const before = drive.state
      drive.done({ type: 'deliveries_done', through: before.deliveryNumber, failed: [before.deliveryNumber] })
      expect(drive.state).toEqual(before)
    })

    it('CM22 the time of both stretches is counted, and none of the live agent', () => {
      const drive = greeted()
      const began = drive.state.record.aiSince ?? 0
      drive.say('A person, please')
      drive.now += 3_000
      drive.reply(handoffWish)
      const first = drive.now - began
      drive.done({ type: 'live_agent_joined', handoffId, liveAgent })
      drive.now += 60_000
      drive.done(back)
      drive.now += 5_000
      drive.done({ type: 'end', ...origin })
      expect(drive.state.record.aiDuration).toBe(first + 5_000)
    })

    it('CM22 external events that came meanwhile are looked for', () => {
      const drive = greeted()
      drive.say('A person, please')
      drive.reply({ expectedEvents: ['event-1'], ...handoffWish })
      drive.done({ type: 'live_agent_joined', handoffId, liveAgent })
      expect(drive.send({ type: 'external_event', eventId: 'event-1' }).refused).toBe('not_awaited')
      drive.now += 60_000
      drive.done({ type: 'wake' })
      drive.done(back)
      expect(drive.state.externalCheckAt).toBe(drive.now)
      drive.done({ type: 'external_event', eventId: 'event-1' })
      expect(drive.state.turn?.input).toMatchObject({ type: 'external_event', eventId: 'event-1' })
    })

    it('CM22 where the setting forbids it, and while nobody has joined, it is refused', () => {
      const waits = inQueue()
      expect(waits.send(back).refused).toBe('handoff_over')
      const drive = talking()
      drive.rules = { ...RULES, returnToAgent: false }
      expect(drive.send(back)).toEqual({ refused: 'return_not_allowed' })
    })
  })

  describe('transfers', () => {
    const bob = { id: 'b1', name: 'Bob', avatarUrl: '' }
    const toBob = { liveAgent: bob, acceptor: { type: 'person', id: 'b1' } } as const
    const talking = (): Drive => {
      const drive = inQueue()
      drive.done({ type: 'live_agent_joined', handoffId, liveAgent })
      drive.done({ type: 'deliveries_done', through: drive.state.deliveryNumber, failed: [] })
      return drive
    }
    const transfer = (to: Extract<Command, { type: 'handoff_transferred' }>['to']) =>
      ({ type: 'handoff_transferred', handoffId, to, reason: 'knows it' }) as const

    it('CM20 a colleague has the visitor at once, in the same handoff, and is missed when no sign comes', () => {
      const drive = talking()
      drive.done(transfer(toBob))
      expect(drive.log.at(-1)).toMatchObject({
        type: 'LIVE_AGENT_JOINED',
        payload: { agent: { id: 'b1', name: 'Bob', avatar_url: '' } },
      })
      expect(drive.state.handoff).toMatchObject({
        ...{ id: handoffId, status: 'active', liveAgent: bob, acceptedBy: toBob.acceptor },
        transferred: { from: { id: 'a1', name: 'Ada' }, reason: 'knows it' },
      })
      drive.done({ type: 'live_agent_message', handoffId, messageId: 'm1', text: 'Hi', attachments: [] })
      expect(drive.log.at(-1)?.payload).toMatchObject({ agent_id: 'b1', agent_name: 'Bob' })
      drive.now += 2 * RULES.liveAgentAbsence
      drive.done({ type: 'wake' })
      expect(drive.types().slice(-2)).toEqual(['LIVE_AGENT_LEFT', 'SESSION_END'])
    })

    it('CM20 into a queue the visitor waits as the next handoff, which times out by itself', () => {
      const drive = talking()
      drive.now += 200_000
      drive.done({ type: 'seen', seenAt: drive.now })
      const decision = drive.done(transfer({ queueName: 'sales' }))
      expect(drive.log.slice(-3).map(({ type, payload }) => [type, payload])).toEqual([
        ['LIVE_AGENT_LEFT', { reason: 'transferred' }],
        ['SESSION_START', { capabilities: expect.objectContaining({ streaming: false }) }],
        ['HANDOFF_ACCEPTED', { queue_name: 'sales' }],
      ])
      expect(decision.effects).toContainEqual({ type: 'queue_changed' })
      expect(drive.state.handoff).toMatchObject({
        ...{ id: 'session-1.2', status: 'waiting', queueName: 'sales', liveAgent: null, acceptedBy: null },
        ...{ requestedAt: drive.now, timeoutAt: drive.now + 300_000, attendedUntil: null },
        transferred: { from: { id: 'a1', name: 'Ada' }, reason: 'knows it' },
      })
      expect(drive.send(transfer({ queueName: 'sales' })).refused).toBe('handoff_over')
      drive.now += 300_000
      drive.done({ type: 'wake' })
      expect(drive.types().at(-1)).toBe('HANDOFF_TIMEOUT')
    })

    it('CM20 what has not arrived waits for who joins next, in order', () => {
      const drive = talking()
      drive.say('first')
      drive.say('second')
      drive.done(transfer({ queueName: 'sales' }))
      const next = 'session-1.2'
      expect(drive.state.deliveries.map(({ handoffId: id }) => id)).toEqual([next, next])
      const decision = drive.done({ type: 'live_agent_joined', handoffId: next, liveAgent: bob })
      expect(decision.effects).toContainEqual({ type: 'deliver' })
      const sequences = drive.state.deliveries.map(({ call }) =>
        call.type === 'forward' ? call.sequence : 0,
      )
      expect(sequences).toEqual([...sequences].sort((one, other) => one - other))
    })

    it('CM20 to oneself, of a handoff that waits, and by others it is refused', () => {
      expect(inQueue().send(transfer(toBob)).refused).toBe('handoff_over')
      const drive = talking()
      expect(drive.send(transfer({ ...toBob, liveAgent })).refused).toBe('transfer_to_self')
      const by = { type: 'person', id: 'b1', liveAgentIds: ['b1'], isOperator: false } as const
      expect(drive.send({ ...transfer(toBob), by }).refused).toBe('not_accepted_by')
    })
  })

  it('CM22 messages in the queue are kept and handed over when somebody joins, in order', () => {
    const drive = inQueue()
    drive.say('first')
    drive.say('second')
    expect(drive.last.refused === null && drive.last.effects).toEqual([])
    const decision = drive.done({ type: 'live_agent_joined', handoffId, liveAgent })
    expect(decision.effects).toContainEqual({ type: 'deliver' })
    expect(drive.state.deliveries.map(({ call }) => call.type)).toEqual(['forward', 'forward'])
  })

  it('CM5 the queue for a human holds no more messages than the queue for the agent', () => {
    const drive = inQueue()
    for (let index = 0; index < RULES.queuedMessages; index++) drive.say('waits')
    expect(drive.send({ type: 'message', text: 'too many', pinning: null, ...origin }).refused).toBe(
      'overloaded',
    )
  })

  it('CM22 messages that waited for the agent go to the queue with the visitor', () => {
    const drive = greeted()
    drive.say('A person, please')
    drive.say('quickly')
    drive.reply({ text: 'One moment.', ...handoffWish })
    expect(drive.state.pending).toEqual([])
    expect(drive.state.deliveries.map(({ call }) => call.type)).toEqual(['request', 'forward'])
  })

  it('DK19 one live agent wins', () => {
    const drive = inQueue()
    drive.done({ type: 'live_agent_joined', handoffId, liveAgent })
    const second = drive.send({ type: 'live_agent_joined', handoffId, liveAgent: { ...liveAgent, id: 'a2' } })
    expect(second).toEqual({ refused: 'handoff_over' })
  })

  it('CM20 after the time-out nobody owns the session, and the live-agent system is told', () => {
    const drive = inQueue()
    drive.done({ type: 'handoff_accepted', handoffId })
    drive.now = drive.state.handoff?.timeoutAt ?? 0
    drive.done({ type: 'seen', seenAt: drive.now })
    drive.done({ type: 'wake' })
    expect(drive.types().at(-1)).toBe('HANDOFF_TIMEOUT')
    expect(drive.state.owner).toBe('nobody')
    expect(drive.state.deliveries.at(-1)?.call).toEqual({ type: 'cancel', reason: 'timed out' })
    drive.say('Hello?')
    expect(drive.types().slice(-2)).toEqual(['USER_MESSAGE', 'AI_AGENT_JOINED'])
  })

  it('CM29 calls about a handoff that is over are refused and change nothing', () => {
    const drive = inQueue()
    drive.done({ type: 'handoff_failed', handoffId, reason: 'closed' })
    const before = drive.state
    for (const command of [
      { type: 'handoff_accepted', handoffId },
      { type: 'live_agent_joined', handoffId, liveAgent },
      { type: 'live_agent_message', handoffId, messageId: 'm', text: 'Hi', attachments: [] },
      { type: 'live_agent_typing', handoffId, state: 'started' },
      { type: 'queue_status', handoffId, position: 1, estimatedWaitSeconds: null },
      { type: 'live_agent_left', handoffId, reason: null },
      { type: 'handoff_failed', handoffId, reason: null },
    ] as const) {
      expect(drive.send(command)).toEqual({ refused: 'handoff_over' })
    }
    expect(drive.state).toBe(before)
  })

  it('DK19 a handoff that a live agent has taken can no longer fail', () => {
    const drive = inQueue()
    drive.done({ type: 'live_agent_joined', handoffId, liveAgent })
    expect(drive.send({ type: 'handoff_failed', handoffId, reason: null })).toEqual({
      refused: 'handoff_over',
    })
  })

  it('CM29 a message that could not be forwarded is told to its sender', () => {
    const drive = inQueue()
    drive.done({ type: 'live_agent_joined', handoffId, liveAgent })
    drive.say('Hello?')
    const number = drive.state.deliveryNumber
    const decision = drive.done({ type: 'deliveries_done', through: number, failed: [number] })
    expect(decision.transients).toMatchObject([
      { to: 'connection-1', payload: { message: 'Failed to forward message to live agent' } },
    ])
  })

  it('CM28 in a channel without live agents a handoff is the end', () => {
    const drive = greeted('server', 'debug')
    drive.say('A person, please')
    drive.reply({ text: 'One moment.', ...handoffWish })
    expect(drive.types().slice(-3)).toEqual(['AI_AGENT_TRIGGERED_HANDOFF', 'AI_AGENT_LEFT', 'SESSION_END'])
    expect(drive.state.record).toMatchObject({ handoff: true, handoffDestination: 'reception' })
  })
})

describe('calls to the live-agent system', () => {
  it('CM29 a call that nobody has confirmed within a lease is made again, and no longer once it is', () => {
    const drive = greeted()
    drive.say('A person, please')
    const asked = drive.reply({ text: 'One moment.', ...handoffWish })
    expect(asked.effects).toContainEqual({ type: 'deliver' })
    expect(wakeAt(drive.state)).toBe(drive.now + RULES.turnLease)
    drive.now += RULES.turnLease
    expect(drive.done({ type: 'wake' }).effects).toEqual([{ type: 'deliver' }])
    drive.done({ type: 'deliveries_done', through: drive.state.deliveryNumber, failed: [] })
    drive.now += RULES.turnLease
    expect(drive.done({ type: 'wake' }).effects).toEqual([])
  })
})

describe('time', () => {
  it('CM7 a visitor who gives no sign of life for the idle time has left', () => {
    const drive = greeted()
    expect(wakeAt(drive.state)).toBe(1_000 + 600_000)
    drive.now = 1_000 + 600_000
    drive.done({ type: 'wake' })
    expect(drive.log.at(-1)).toMatchObject({
      type: 'SESSION_END',
      payload: { reason: 'REASON_USER_ABANDONED' },
    })
  })

  it('CM7 a sign of life puts it off; a wake-up that comes early changes nothing', () => {
    const drive = greeted()
    drive.done({ type: 'seen', seenAt: 300_000 })
    drive.now = 601_000
    drive.done({ type: 'wake' })
    expect(drive.state.endedAt).toBeNull()
    expect(wakeAt(drive.state)).toBe(900_000)
  })
})
