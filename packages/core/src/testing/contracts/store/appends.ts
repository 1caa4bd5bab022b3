import { describe, expect, it } from 'vitest'
import { projectRecord } from '../../../domain/conversation/project-record.ts'
import { stateChanges } from '../../../domain/conversation/state-changes.ts'
import { aConversation, anAppend, anEvent, aTurn } from '../../conversation-fixtures.ts'
import { ACCOUNT, AGENT, START } from '../../fixtures.ts'
import { conversationSnapshot } from './conversation-snapshot.ts'
import { pageTexts, recordTexts } from './json-texts.ts'
import { LIVE, recordIds } from './record-ids.ts'
import { eventsOf, wakesAt } from './stored.ts'
import {
  count,
  frozen,
  HARD_STRINGS,
  openForTest,
  RACERS,
  race,
  reopenForTest,
  type StoreFactory,
  untilWon,
} from './tools.ts'

const ID = 'AS-1'
const OTHER = 'AS-2'
const STALE = { status: 'stale' }
const waiting = { id: 'AS-1.1', status: 'waiting', queueName: 'reception', since: START } as const

/** Rules SC1 to SC19: creating conversations and writing on. */
export function describeAppends(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).conversations

  describe('writes', () => {
    it('SC1 a new conversation is written at version 1, with its events from sequence 1', async () => {
      const conversations = await open()
      const events = [anEvent({ type: 'SESSION_START' }), anEvent({ clientEventId: 'c-1' })]
      const conversation = aConversation(ID, { events, turns: [aTurn('one'), aTurn('two')] })
      expect(await conversations.create(conversation)).toBe('created')
      expect(await conversations.load(ID)).toEqual({
        state: conversation.state,
        version: 1,
        pendingExternalEvents: [],
      })
      expect(await eventsOf(conversations, ID, 0)).toEqual([
        { ...events[0], sequence: 1 },
        { ...events[1], sequence: 2 },
      ])
      expect(await conversations.turns(ID)).toEqual(conversation.turns)
    })

    it('SC2 an id that exists is taken, and nothing is written', async () => {
      const conversations = await open()
      await conversations.create(aConversation(ID))
      const before = await conversationSnapshot(conversations, ID)
      const again = aConversation(ID, {
        state: { variables: { again: true } },
        events: [anEvent(), anEvent()],
        turns: [aTurn('again')],
        index: { finishedAt: START, handoff: waiting },
        wakeAt: START,
      })
      expect(await conversations.create(again)).toBe('taken')
      expect(await conversationSnapshot(conversations, ID)).toEqual(before)
      expect(await wakesAt(conversations, null)).toBe(true)
    })

    it('SC3 of racing creations of one id exactly one wins, and it is the one that is kept', async () => {
      const conversations = await open()
      const candidate = (racer: number) =>
        aConversation(ID, { events: [anEvent({ id: `e-${racer}` })], state: { variables: { racer } } })
      const results = await race(racer => conversations.create(candidate(racer)))
      expect(count(results, 'created')).toBe(1)
      expect(count(results, 'taken')).toBe(RACERS - 1)
      const winner = results.indexOf('created')
      expect((await conversations.load(ID))?.state).toEqual(candidate(winner).state)
      expect((await eventsOf(conversations, ID, 0)).map(event => event.id)).toEqual([`e-${winner}`])
    })

    it('SC4 of an unknown conversation there is nothing to read, and an append is stale', async () => {
      const conversations = await open()
      await conversations.create(aConversation(OTHER))
      const before = await conversationSnapshot(conversations, ID)
      expect(before).toMatchObject({ stored: null, events: [], turns: [], record: null })
      const append = anAppend(aConversation(ID), 1, {
        events: [anEvent({ clientEventId: 'c-1' })],
        wakeAt: 1,
      })
      expect(await conversations.append(append)).toEqual({ status: 'stale' })
      expect(await conversations.append({ ...append, expectedVersion: 0 })).toEqual({ status: 'stale' })
      expect(await conversationSnapshot(conversations, ID)).toEqual(before)
      expect(await wakesAt(conversations, null)).toBe(true)
    })

    it('SC10 an append replaces state, record and index, adds events and turns, and grows the version by one', async () => {
      const conversations = await open()
      const created = aConversation(ID, { turns: [aTurn('one')] })
      await conversations.create(created)
      const append = anAppend(created, 1, {
        state: { owner: 'queue', variables: { room: '12' } },
        events: [anEvent({ id: 'e-2' }), anEvent({ id: 'e-3' })],
        turns: [aTurn('two'), aTurn('three')],
        index: { handoff: waiting },
        wakeAt: START + 5,
      })
      expect(await conversations.append(append)).toEqual({ status: 'appended' })
      const after = await conversationSnapshot(conversations, ID)
      expect(after.stored).toEqual({ state: append.state, version: 2, pendingExternalEvents: [] })
      expect(after.events.map(event => event.sequence)).toEqual([1, 2, 3])
      expect(after.turns).toEqual([aTurn('one'), aTurn('two'), aTurn('three')])
      expect(after.record?.summary).toBe(JSON.stringify(projectRecord(append.state).summary))
      expect(after.record?.summary).toContain('"state":{"room":"12"}')
      expect(after.waiting.map(entry => entry.conversationId)).toEqual([ID])
      expect(await wakesAt(conversations, START + 5)).toBe(true)
    })

    it('SC5 an append without an index leaves it as it was', async () => {
      const conversations = await open()
      const index = { handoff: waiting, variantId: 'v1', channel: 'voice', listed: true } as const
      const created = aConversation(ID, { index })
      await conversations.create(created)
      const whose = { variantId: 'v1', channels: ['voice'], inProgress: true }
      for (let version = 1; version < 4; version++) {
        const append = anAppend(created, version, { events: [], state: { handoffs: version } })
        expect(await conversations.append({ ...append, index: null })).toEqual({ status: 'appended' })
        expect(await recordIds(conversations, whose)).toEqual([ID])
        expect(await conversations.handoffs.list(ACCOUNT, 'waiting')).toHaveLength(1)
      }
      const finished = { ...index, finishedAt: START + 1, handoff: null }
      await conversations.append(anAppend(created, 4, { events: [], index: finished }))
      await conversations.append({ ...anAppend(created, 5, { turns: [aTurn('late')] }), index: null })
      expect(await recordIds(conversations, whose)).toEqual([])
      expect(await recordIds(conversations, { ...whose, inProgress: false })).toEqual([ID])
      expect(await conversations.listOpen(AGENT)).toEqual([])
      expect(await conversations.turns(ID)).toEqual([aTurn('late')])
    })

    it('SC6 a state that was written whole and the changes since are loaded as the current state, also in records', async () => {
      const store = await factory.open()
      const { conversations } = store
      const created = aConversation(ID, { state: { variables: { room: '12' }, agentName: 'Front desk' } })
      await conversations.create(created)
      const seen = HARD_STRINGS.map((text, step) => ({ text, step, whole: step % 5 === 3 }))
      let base = created.state
      let state = base
      let version = 1
      for (const { step, text, whole } of seen) {
        state = {
          ...state,
          sequence: step + 2,
          seenAt: START + step * 1_000,
          failure: step % 3 === 0 ? { text, custom: { text } } : null,
          ...(step % 4 === 1 && { variables: { room: text }, metrics: { [`m${step}`]: [text, text] } }),
          record: { ...state.record, turns: step, handoffReason: text },
        }
        const changes = whole ? null : stateChanges(base, state)
        const append = {
          ...anAppend({ ...created, state }, version, { events: [anEvent()] }),
          state,
          changes,
        }
        // One that is not taken changes nothing of what is kept.
        expect(await conversations.append({ ...append, expectedVersion: version - 1 })).toEqual(STALE)
        expect(await conversations.append(frozen(append))).toEqual({ status: 'appended' })
        version++
        if (changes === null) base = state
        expect(await conversations.load(ID)).toEqual({ state, version, pendingExternalEvents: [] })
        const { summary, details } = projectRecord(state)
        const record = { summary: JSON.stringify(summary), details: JSON.stringify(details), turns: '[]' }
        const found = await conversations.records.find(ACCOUNT, AGENT, ID)
        expect(found && recordTexts(found)).toEqual(record)
        const page = pageTexts(await conversations.records.list(LIVE, { offset: 0 }, 9))
        expect(page.records).toMatchObject([record])
        expect(pageTexts(await conversations.records.newest(LIVE, { offset: 0 }, 9))).toEqual(page)
      }
      const before = await conversationSnapshot(conversations, ID)
      const again = factory.reopen === undefined ? store : await reopenForTest(factory.reopen, store)
      expect(await conversationSnapshot(again.conversations, ID)).toEqual(before)
      const ended = { ...state, endedAt: START + 90_000 }
      const end = anAppend({ ...created, state }, version, {
        events: [],
        index: { finishedAt: START + 90_000 },
      })
      const changes = stateChanges(base, ended)
      await again.conversations.append({ ...end, state: ended, changes })
      const text = JSON.stringify(projectRecord(ended).summary)
      expect((await again.conversations.records.find(ACCOUNT, AGENT, ID))?.summary.text).toBe(text)
      expect((await again.conversations.load(ID))?.state).toEqual(ended)
      if (factory.reopen === undefined) await store.close()
    })

    it('SC11 a write without events or turns counts as a write', async () => {
      const conversations = await open()
      const created = aConversation(ID)
      await conversations.create(created)
      const append = anAppend(created, 1, { events: [], state: { greeted: true } })
      expect(await conversations.append(append)).toEqual({ status: 'appended' })
      expect(await conversations.append(append)).toEqual({ status: 'stale' })
      expect(await conversations.load(ID)).toMatchObject({ version: 2, state: { greeted: true } })
      expect(await eventsOf(conversations, ID, 1)).toEqual([])
    })

    it('SC12 an append with another version than the conversation’s is stale and writes nothing', async () => {
      const conversations = await open()
      const created = aConversation(ID, { wakeAt: START + 60 })
      await conversations.create(created)
      await conversations.append(anAppend(created, 1))
      const before = await conversationSnapshot(conversations, ID)
      for (const version of [0, 1, 3]) {
        const append = anAppend(created, version, {
          state: { variables: { stale: true } },
          events: [anEvent({ clientEventId: 'stale' })],
          turns: [aTurn('stale')],
          index: { finishedAt: START + 1, handoff: waiting },
          wakeAt: START,
        })
        expect(await conversations.append(append)).toEqual({ status: 'stale' })
      }
      expect(await conversationSnapshot(conversations, ID)).toEqual(before)
      expect(await wakesAt(conversations, START + 60)).toBe(true)
      const first = anAppend(created, 2, { events: [anEvent({ clientEventId: 'stale' })] })
      expect(await conversations.append(first)).toEqual({ status: 'appended' })
    })

    it('SC13 of racing appends with one expected version exactly one is written, whole', async () => {
      const conversations = await open()
      const created = aConversation(ID)
      await conversations.create(created)
      const append = (racer: number) =>
        anAppend(created, 1, {
          state: { variables: { racer } },
          events: [anEvent({ id: `a-${racer}`, clientEventId: `c-${racer}` }), anEvent({ id: `b-${racer}` })],
          turns: [aTurn(`${racer}`)],
        })
      const results = (await race(racer => conversations.append(append(racer)))).map(result => result.status)
      expect(count(results, 'appended')).toBe(1)
      expect(count(results, 'stale')).toBe(RACERS - 1)
      const winner = results.indexOf('appended')
      expect(await conversations.load(ID)).toMatchObject({
        version: 2,
        state: { variables: { racer: winner } },
      })
      const ids = (await eventsOf(conversations, ID, 1)).map(event => event.id)
      expect(ids).toEqual([`a-${winner}`, `b-${winner}`])
      expect(await conversations.turns(ID)).toEqual([aTurn(`${winner}`)])
    })

    it('SC14 losers who load and try again all get their turn, and the sequences have no gap', async () => {
      const conversations = await open()
      const created = aConversation(ID)
      await conversations.create(created)
      await race(racer =>
        untilWon(async () => {
          const stored = await conversations.load(ID)
          if (stored === null) throw new Error('The conversation is gone.')
          const base = { ...created, state: stored.state }
          const events = [anEvent({ id: `a-${racer}` }), anEvent({ id: `b-${racer}` })]
          const result = await conversations.append(anAppend(base, stored.version, { events }))
          return result.status === 'appended'
        }),
      )
      const events = await eventsOf(conversations, ID, 0)
      expect(events.map(event => event.sequence)).toEqual(events.map((_, index) => index + 1))
      expect(events).toHaveLength(1 + 2 * RACERS)
      expect(new Set(events.map(event => event.id)).size).toBe(1 + 2 * RACERS)
      for (let index = 1; index < events.length; index += 2) {
        expect(events[index + 1]?.id).toBe(events[index]?.id.replace('a-', 'b-'))
      }
      expect(await conversations.load(ID)).toMatchObject({ version: 1 + RACERS })
    })

    it('SC15 an event whose client id is in the log is a duplicate, at its sequence, and nothing is written', async () => {
      const conversations = await open()
      const created = aConversation(ID, { events: [anEvent(), anEvent({ clientEventId: 'first' })] })
      await conversations.create(created)
      const second = anAppend(created, 1, { events: [anEvent(), anEvent({ clientEventId: 'second' })] })
      expect(await conversations.append(second)).toEqual({ status: 'appended' })
      const before = await conversationSnapshot(conversations, ID)
      for (const [clientEventId, sequence] of [
        ['first', 2],
        ['second', 4],
      ] as const) {
        const events = [anEvent({ id: 'new', clientEventId: 'new' }), anEvent({ id: 'again', clientEventId })]
        const again = anAppend(second, 2, {
          events,
          turns: [aTurn('again')],
          index: { handoff: waiting },
          wakeAt: 1,
        })
        expect(await conversations.append(again)).toEqual({ status: 'duplicate', sequence })
      }
      expect(await conversationSnapshot(conversations, ID)).toEqual(before)
      expect(await wakesAt(conversations, null)).toBe(true)
      const fresh = anAppend(second, 2, { events: [anEvent({ clientEventId: 'new' })] })
      expect(await conversations.append(fresh)).toEqual({ status: 'appended' })
    })

    it('SC15 an event with two client ids is a duplicate by either of them', async () => {
      const conversations = await open()
      const created = aConversation(ID, {
        events: [anEvent(), anEvent({ clientEventId: 'a', localId: 'b' })],
      })
      await conversations.create(created)
      for (const again of [
        { clientEventId: 'a', localId: 'b' },
        { clientEventId: 'a', localId: 'new' },
        { clientEventId: 'new', localId: 'b' },
        { clientEventId: null, localId: 'a' },
        { clientEventId: 'b' },
      ]) {
        const result = await conversations.append(anAppend(created, 1, { events: [anEvent(again)] }))
        expect(result).toEqual({ status: 'duplicate', sequence: 2 })
      }
      const fresh = anEvent({ clientEventId: 'new', localId: 'newer' })
      expect(await conversations.append(anAppend(created, 1, { events: [fresh] }))).toEqual({
        status: 'appended',
      })
    })

    it('SC16 a duplicate is told as such also when the version has moved on', async () => {
      const conversations = await open()
      const created = aConversation(ID, { events: [anEvent({ clientEventId: 'first' })] })
      await conversations.create(created)
      await conversations.append(anAppend(created, 1))
      for (const version of [0, 1, 9]) {
        const again = anAppend(created, version, { events: [anEvent({ clientEventId: 'first' })] })
        expect(await conversations.append(again)).toEqual({ status: 'duplicate', sequence: 1 })
      }
    })

    it('SC17 client ids count within one conversation, exactly as written; no client id is no duplicate', async () => {
      const conversations = await open()
      const created = aConversation(ID, { events: [anEvent({ clientEventId: 'Id' })] })
      await conversations.create(created)
      await conversations.create(aConversation(OTHER, { events: [anEvent({ clientEventId: 'there' })] }))
      const others = ['id', 'Id ', '', 'I%', '_d', 'there', 'null', `'Id'`, '\u00e9', 'e\u0301', '__proto__']
      let version = 1
      for (const clientEventId of [...others, null, null]) {
        const append = anAppend(created, version, { events: [anEvent({ clientEventId })] })
        expect(await conversations.append(append)).toEqual({ status: 'appended' })
        version++
      }
      for (const [index, clientEventId] of others.entries()) {
        const again = anAppend(created, version, { events: [anEvent({ clientEventId })] })
        expect(await conversations.append(again)).toEqual({ status: 'duplicate', sequence: index + 2 })
      }
    })

    it('SC18 of racing appends of one client event exactly one is written, the others are its duplicates', async () => {
      const conversations = await open()
      const created = aConversation(ID)
      await conversations.create(created)
      const events = [anEvent({ id: 'e-1' }), anEvent({ id: 'e-2', clientEventId: 'once' })]
      const results = await race(() => conversations.append(anAppend(created, 1, { events })))
      expect(results.filter(result => result.status === 'appended')).toHaveLength(1)
      const duplicates = results.filter(result => result.status === 'duplicate')
      expect(duplicates).toEqual(
        Array.from({ length: RACERS - 1 }, () => ({ status: 'duplicate', sequence: 3 })),
      )
      expect(await eventsOf(conversations, ID, 0)).toHaveLength(3)
    })

    it('SC19 writes to many conversations at once stand and fall each for itself', async () => {
      const conversations = await open()
      const created = Array.from({ length: 30 }, (_, index) =>
        aConversation(`AS-many-${index}`, { events: [anEvent({ clientEventId: 'first' })] }),
      )
      expect(await Promise.all(created.map(one => conversations.create(one)))).toEqual(
        created.map(() => 'created'),
      )
      const append = (one: (typeof created)[number], index: number) => {
        if (index % 3 === 0) return conversations.append(anAppend(one, 1))
        if (index % 3 === 1) return conversations.append(anAppend(one, 7))
        return conversations.append(anAppend(one, 1, { events: [anEvent({ clientEventId: 'first' })] }))
      }
      const results = await Promise.all(created.map(append))
      const statuses = ['appended', 'stale', 'duplicate']
      expect(results.map(result => result.status)).toEqual(created.map((_, index) => statuses[index % 3]))
      for (const [index, one] of created.entries()) {
        const written = index % 3 === 0
        expect((await conversations.load(one.conversationId))?.version).toBe(written ? 2 : 1)
        expect(await eventsOf(conversations, one.conversationId, 0)).toHaveLength(written ? 2 : 1)
      }
    })
  })
}
