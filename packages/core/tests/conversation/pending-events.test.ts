import { Drive, greeted, origin, RULES } from '@colloquy/test-support/conversation'
import { describe, expect, it } from 'vitest'
import type { ConversationState } from '../../src/domain/conversation/state.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform } from '../../src/platform.ts'
import { contextOf } from '../../src/platform-context.ts'
import {
  ACCOUNT,
  AGENT,
  aConversation,
  aState,
  createFakeClock,
  createScriptedRuntime,
} from '../../src/testing/index.ts'
import { createEngine } from '../../src/usecases/conversation/engine/engine.ts'
import { createEphemeral } from '../../src/usecases/room/ephemeral.ts'

const ID = 'AS-1'
const idsOf = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `E-${index}`)

/** An engine over a conversation for which so many awaited events have come while nobody heard of them. */
async function withPending(count: number) {
  const clock = createFakeClock()
  const store = createMemoryStore()
  const platform = createPlatform({
    ...{ store, clock, workers: false },
    runtime: createScriptedRuntime({}, clock),
  })
  const record = { ...aState(ID).record, aiSince: clock.now() }
  const state = { owner: 'ai_agent', greeted: true, awaiting: idsOf(count), record } as const
  const made = aConversation(ID, { state })
  await store.conversations.create(made)
  const whose = { accountId: ACCOUNT, agentId: AGENT }
  for (const eventId of idsOf(count)) {
    await store.conversations.externalEvents.expect({
      eventId,
      conversationId: made.conversationId,
      ...whose,
    })
    const body = new Uint8Array()
    const came = { eventId, ...whose, contentType: 'text/plain', body, receivedAt: clock.now() }
    await store.conversations.externalEvents.accept(came)
  }
  const engine = createEngine(contextOf(platform), createEphemeral(contextOf(platform), null))
  const heard = ({ turn, pending }: ConversationState) =>
    [...(turn === null ? [] : [turn.input]), ...pending].flatMap(input =>
      input.type === 'external_event' ? [input.eventId] : [],
    )
  return { engine, store, id: made.conversationId, heard }
}

describe('external events that wait', () => {
  it.each([['message'], ['wake']] as const)(
    'CM15 however many of them a %s finds, all are handed over and it is done',
    async type => {
      const { engine, store, id, heard } = await withPending(120)
      const command =
        type === 'wake' ? { type } : { type, text: 'Hello', pinning: null, ...origin, clientEventId: 'c' }
      const outcome = await engine.execute(id, command)
      expect(outcome.status).toBe('done')
      const state = await engine.load(id)
      if (state === null) throw new Error('it is gone')
      expect(heard(state)).toEqual(idsOf(120))
      expect((await store.conversations.load(id))?.pendingExternalEvents).toEqual([])
      if (type === 'message') expect(state.pending.at(-1)?.type).toBe('message')
    },
  )

  it('CM15 a hand-over that another writer wins is a conflict, and conflicts come to an end', async () => {
    const { engine, store, id } = await withPending(1)
    let tries = 0
    store.conversations.append = async () => {
      tries++
      return { status: 'stale' }
    }
    await expect(engine.execute(id, { type: 'wake' })).rejects.toMatchObject({ code: 'WRITE_CONFLICT' })
    expect(tries).toBe(50)
  })

  it('CM15 a conversation awaits at most so many events, the newest ones', () => {
    const drive = greeted()
    drive.rules = { ...RULES, awaitedEvents: 3 }
    for (const name of ['a', 'b', 'c', 'd']) {
      drive.say('pay')
      drive.reply({ text: 'One moment.', expectedEvents: [name, `${name}2`] })
    }
    expect(drive.state.awaiting).toEqual(['c2', 'd', 'd2'])
    drive.say('pay')
    expect(drive.send({ type: 'external_event', eventId: 'a' })).toEqual({ refused: 'not_awaited' })
    drive.done({ type: 'external_event', eventId: 'd' })
    drive.reply()
    drive.reply()
    // What has come for another one all the same is handed over while no turn is under way.
    drive.done({ type: 'external_event', eventId: 'a', pending: true })
    expect(drive.state.turn?.input).toMatchObject({ type: 'external_event', eventId: 'a' })
  })

  it('CM15 the state grows no further, however many events nobody answers', () => {
    const drive = new Drive(greeted().state)
    const size = () => JSON.stringify(drive.state).length
    const ask = (turn: number) => {
      drive.say('pay')
      drive.reply({ text: 'One moment.', expectedEvents: [`EVENT-${String(turn).padStart(30, '0')}`] })
    }
    for (let turn = 0; turn < 150; turn++) ask(turn)
    const before = size()
    for (let turn = 150; turn < 900; turn++) ask(turn)
    // Counters have more digits by now.
    expect(size() - before).toBeLessThan(20)
    expect(drive.state.awaiting).toHaveLength(100)
  })
})
