import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StoredTurn } from '../../../domain/conversation/record.ts'
import type { ConversationStore } from '../../../ports/store/conversations.ts'
import type { RecordFilter } from '../../../ports/store/records.ts'
import type { TurnClaim } from '../../../ports/store/turn-vectors.ts'
import { aConversation, anAppend, type ConversationFixture } from '../../conversation-fixtures.ts'
import { START } from '../../fixtures.ts'
import { LIVE } from './record-ids.ts'
import { count, openForTest, RACERS, race, reopenForTest, type StoreFactory } from './tools.ts'

const MODEL = 'model@1'
const FINISHED = { index: { finishedAt: START } }

const said = (user: string, agent = ''): StoredTurn => ({
  record: { user_input: user, agent_response: agent },
  details: {},
})

/** Stands for a vector: a store does not look into it. */
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(`of ${text}`)
const textOf = (bytes: Uint8Array | null): string | null =>
  bytes === null ? null : new TextDecoder().decode(Uint8Array.from(bytes))

const vectorsOf = ({ turns }: TurnClaim) =>
  turns.map(({ turn, user, agent }) => ({
    turn,
    user: user === '' ? null : bytesOf(user),
    agent: agent === '' ? null : bytesOf(agent),
  }))

/** What has vectors, walked step by step: the turns' sides by conversation. */
async function vectorsIn(
  conversations: ConversationStore,
  { model = MODEL, limit = 100, ...filter }: Partial<RecordFilter> & { model?: string; limit?: number } = {},
) {
  const found: (readonly [id: string, ...turns: string[]])[] = []
  let sizes: readonly number[] = []
  let after: Parameters<ConversationStore['turnVectors']['next']>[2] = null
  do {
    const step: Awaited<ReturnType<ConversationStore['turnVectors']['next']>> =
      await conversations.turnVectors.next(model, { ...LIVE, ...filter }, after, limit)
    for (const { id, turns } of step.conversations)
      found.push([id, ...turns.map(({ user, agent }) => `${textOf(user)}|${textOf(agent)}`)])
    sizes = [...sizes, step.conversations.length]
    after = step.next
  } while (after !== null)
  return { found, sizes }
}

/** Embeds all waiting turns; returns the number of claims that took. */
async function embedAll(conversations: ConversationStore, model = MODEL, now = START): Promise<number> {
  for (let claims = 0; ; claims++) {
    const claim = await conversations.turnVectors.claim(model, 3, now, now + 1)
    if (claim === null) return claims
    await conversations.turnVectors.keep(model, claim.claim, vectorsOf(claim))
  }
}

const textsOf = (claim: TurnClaim | null) => claim?.turns.map(({ user }) => user) ?? null

/** Rules SC140 to SC148: vectors of turns. */
export function describeTurnVectors(factory: StoreFactory): void {
  const open = async (created: Readonly<Record<string, ConversationFixture>> = {}) => {
    const { conversations } = await openForTest(factory)
    for (const [id, values] of Object.entries(created)) await conversations.create(aConversation(id, values))
    return conversations
  }

  describe('claims of turns', () => {
    it('SC140 turns of listed conversations wait newest first, with their texts', async () => {
      const conversations = await open({
        'AS-1': { turns: [said('one', 'first'), said('two')] },
        'AS-debug': { turns: [said('hidden')], index: { listed: false } },
        'AS-2': { turns: [said('three')] },
      })
      const first = aConversation('AS-1')
      await conversations.append(anAppend(first, 1, { turns: [said('four')] }))
      const claim = await conversations.turnVectors.claim(MODEL, 2, START, START + 10)
      expect(textsOf(claim)).toEqual(['four', 'three'])
      expect(claim?.more).toBe(true)
      expect(await conversations.turnVectors.keep(MODEL, claim?.claim ?? 0, [])).toBe('kept')
      const rest = await conversations.turnVectors.claim(MODEL, 9, START, START + 10)
      expect(rest?.turns).toMatchObject([
        { user: 'two', agent: '', conversationId: 'AS-1' },
        { user: 'one', agent: 'first', conversationId: 'AS-1' },
      ])
      expect(rest?.more).toBe(false)
      await conversations.turnVectors.keep(MODEL, rest?.claim ?? 0, [])
      expect(await conversations.turnVectors.claim(MODEL, 9, START, START + 10)).toBeNull()
    })

    it('SC140 what is written while others wait comes first', async () => {
      const conversations = await open({
        'AS-1': { turns: ['a', 'b', 'c', 'd', 'e'].map(text => said(text)) },
      })
      const newest: (string | undefined)[] = []
      for (const id of ['AS-2', 'AS-3', 'AS-4', 'AS-5']) {
        const claim = await conversations.turnVectors.claim(MODEL, 2, START, START + 10)
        newest.push(textsOf(claim)?.[0])
        await conversations.create(aConversation(id, { turns: [said(id)] }))
        await conversations.turnVectors.keep(MODEL, claim?.claim ?? 0, [])
      }
      expect(newest).toEqual(['e', 'AS-2', 'AS-3', 'AS-4'])
    })

    it('TM7 turns are free when the claim on them reaches further than two made now', async () => {
      const conversations = await open({ 'AS-1': { turns: [said('one')] } })
      const claim = (now: number) => conversations.turnVectors.claim(MODEL, 1, now, now + 10)
      expect(textsOf(await claim(START + 1_000))).toEqual(['one'])
      expect(await claim(START + 990)).toBeNull()
      expect(textsOf(await claim(START + 989))).toEqual(['one'])
    })

    it('SC141 of several callers one gets the claim, until it is kept, given back or out of time', async () => {
      const conversations = await open({ 'AS-1': { turns: [said('one'), said('two')] } })
      const claims = await race(() => conversations.turnVectors.claim(MODEL, 1, START, START + 10))
      expect(count(claims, null)).toBe(RACERS - 1)
      const first = claims.find(claim => claim !== null)
      if (first === undefined || first === null) throw new Error('No racer won.')
      expect(textsOf(first)).toEqual(['two'])
      expect(await conversations.turnVectors.claim(MODEL, 9, START + 9, START + 20)).toBeNull()
      expect(textsOf(await conversations.turnVectors.claim('other@1', 9, START, START + 10))).toEqual([
        'two',
        'one',
      ])
      const second = await conversations.turnVectors.claim(MODEL, 9, START + 10, START + 20)
      expect(textsOf(second)).toEqual(['two', 'one'])
      expect(await conversations.turnVectors.keep(MODEL, first.claim, vectorsOf(first))).toBe('lost')
      await conversations.turnVectors.release(MODEL, first.claim)
      expect(await conversations.turnVectors.claim(MODEL, 9, START + 11, START + 20)).toBeNull()
      await conversations.turnVectors.release(MODEL, second?.claim ?? 0)
      expect((await vectorsIn(conversations)).found).toEqual([])
      const third = await conversations.turnVectors.claim(MODEL, 9, START + 11, START + 20)
      expect(textsOf(third)).toEqual(['two', 'one'])
      expect(await conversations.turnVectors.keep(MODEL, second?.claim ?? 0, [])).toBe('lost')
      expect(await conversations.turnVectors.keep(MODEL, third?.claim ?? 0, [])).toBe('kept')
      expect(await conversations.turnVectors.keep(MODEL, third?.claim ?? 0, [])).toBe('lost')
      expect(await conversations.turnVectors.keep('unknown', 1, [])).toBe('lost')
    })

    it('SC142 every turn of a kept claim is embedded, also without vectors; what was given back is not', async () => {
      const conversations = await open({
        'AS-1': { turns: [said('one'), said('two', 'deux'), said('three')] },
      })
      const given = await conversations.turnVectors.claim(MODEL, 1, START, START + 10)
      await conversations.turnVectors.release(MODEL, given?.claim ?? 0)
      const claim = await conversations.turnVectors.claim(MODEL, 2, START, START + 10)
      expect(textsOf(claim)).toEqual(['three', 'two'])
      const vectors = vectorsOf(claim ?? { claim: 0, turns: [], more: false })
      const keeping = conversations.turnVectors.keep(MODEL, claim?.claim ?? 0, vectors.slice(1))
      for (const { user, agent } of vectors) for (const bytes of [user, agent]) bytes?.fill(0)
      await keeping
      expect((await vectorsIn(conversations)).found).toEqual([['AS-1', 'of two|of deux']])
      expect(textsOf(await conversations.turnVectors.claim(MODEL, 9, START, START + 10))).toEqual(['one'])
    })

    it('SC143 whatever happens in between, each turn is embedded in the end, with its own vectors', async () => {
      const step = fc.oneof(
        fc.record({ type: fc.constant('write' as const), of: fc.nat({ max: 3 }), turns: fc.nat({ max: 4 }) }),
        fc.record({ type: fc.constant('claim' as const), limit: fc.integer({ min: 1, max: 3 }) }),
        fc.record({ type: fc.constantFrom('keep' as const, 'release' as const, 'late' as const) }),
        fc.record({ type: fc.constant('remove' as const), of: fc.nat({ max: 3 }) }),
      )
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async steps => {
          const store = await factory.open()
          const { conversations } = store
          const there = new Map<string, { version: number; texts: string[] }>()
          let [now, texts] = [START, 0]
          const claims: TurnClaim[] = []
          for (const one of steps) {
            now++
            if (one.type === 'write') {
              const id = `AS-${one.of}`
              const turns = Array.from({ length: one.turns }, () => said(`t${texts++}`))
              const known = there.get(id)
              const write = aConversation(id, { turns, ...FINISHED })
              if (known === undefined) await conversations.create(write)
              else await conversations.append(anAppend(write, known.version, { turns, events: [] }))
              const said_ = turns.map(({ record }) => String(record.user_input))
              there.set(id, {
                version: (known?.version ?? 0) + 1,
                texts: [...(known?.texts ?? []), ...said_],
              })
            } else if (one.type === 'remove') {
              const id = `AS-${one.of}`
              await conversations.removals.remove(LIVE.accountId, LIVE.agentId, id)
              there.delete(id)
            } else if (one.type === 'claim') {
              const claim = await conversations.turnVectors.claim(MODEL, one.limit, now, now + 5)
              if (claim !== null) claims.push(claim)
            } else {
              const claim = one.type === 'late' ? claims.at(-2) : claims.at(-1)
              if (claim === undefined) continue
              if (one.type === 'release') await conversations.turnVectors.release(MODEL, claim.claim)
              else await conversations.turnVectors.keep(MODEL, claim.claim, vectorsOf(claim))
            }
          }
          await embedAll(conversations, MODEL, now + 10)
          const expected = [...there]
            .filter(([, { texts }]) => texts.length > 0)
            .map(([id, { texts }]) => [id, ...texts.map(text => `of ${text}|null`)])
            .sort()
          expect((await vectorsIn(conversations)).found).toEqual(expected)
          await store.close()
        }),
        { numRuns: 60 },
      )
    })
  })

  describe('vectors of turns', () => {
    it('SC144 vectors of what the filter selects are told in the order of records, in steps', async () => {
      const talk = (index: number): ConversationFixture => ({
        startedAt: START + (index % 3),
        turns: Array.from({ length: index % 4 }, (_, at) => said(`${index}.${at}`)),
        index: { channel: index % 2 === 0 ? 'CHAT' : 'voice', listed: index !== 7 },
      })
      const all = Array.from({ length: 12 }, (_, index) => ({ id: `AS-${10 + index}`, index }))
      const conversations = await open(Object.fromEntries(all.map(({ id, index }) => [id, talk(index)])))
      await embedAll(conversations)
      const expected = (wanted: (index: number) => boolean) =>
        all
          .filter(({ index }) => index !== 7 && index % 4 > 0 && wanted(index))
          .toSorted((one, other) => (one.index % 3) - (other.index % 3) || one.index - other.index)
          .map(({ id, index }) => [
            id,
            ...Array.from({ length: index % 4 }, (_, at) => `of ${index}.${at}|null`),
          ])
      for (const limit of [1, 2, 4, 100]) {
        const { found, sizes } = await vectorsIn(conversations, { limit })
        expect(found).toEqual(expected(() => true))
        expect(Math.max(...sizes)).toBeLessThanOrEqual(limit)
      }
      const chat = await vectorsIn(conversations, { channels: ['CHAT'], limit: 2 })
      expect(chat.found).toEqual(expected(index => index % 2 === 0))
      const ranged = await vectorsIn(conversations, { startTime: START + 1, endTime: START + 2 })
      expect(ranged.found).toEqual(expected(index => index % 3 === 1))
      const after = { startedAt: START + 1, id: 'AS-1' }
      const step = await conversations.turnVectors.next(MODEL, LIVE, after, 100)
      expect(step.conversations.map(({ startedAt }) => startedAt - START)).not.toContain(0)
      const before = await conversations.turnVectors.next(
        MODEL,
        { ...LIVE, startTime: START + 2 },
        after,
        100,
      )
      expect(new Set(before.conversations.map(({ startedAt }) => startedAt))).toEqual(new Set([START + 2]))
      expect((await vectorsIn(conversations, { model: 'other@1' })).found).toEqual([])
      // Four turns together, in two conversations: a step holds no more than its limit of turns.
      const small = await conversations.turnVectors.next(MODEL, LIVE, null, 4)
      expect(small.conversations.flatMap(({ turns }) => turns).length).toBeLessThanOrEqual(4)
    })

    it('SC145 vectors go with their conversation, and none are kept for one that has gone', async () => {
      const talk = { ...FINISHED, turns: [said('secret')] }
      const conversations = await open({ 'AS-1': talk, 'AS-2': talk, 'AS-3': talk })
      await embedAll(conversations)
      await conversations.removals.remove(LIVE.accountId, LIVE.agentId, 'AS-2')
      await conversations.create(aConversation('AS-2'))
      expect((await vectorsIn(conversations)).found.map(([id]) => id)).toEqual(['AS-1', 'AS-3'])
      await conversations.create(aConversation('AS-4', talk))
      const claim = await conversations.turnVectors.claim(MODEL, 9, START, START + 10)
      expect(textsOf(claim)).toEqual(['secret'])
      await conversations.removals.removeFinished(LIVE, START + 1, 9)
      await conversations.create(aConversation('AS-4', { turns: [said('public')] }))
      await conversations.turnVectors.keep(
        MODEL,
        claim?.claim ?? 0,
        vectorsOf(claim ?? { claim: 0, turns: [], more: false }),
      )
      expect((await vectorsIn(conversations)).found).toEqual([])
      await embedAll(conversations, MODEL, START + 20)
      expect((await vectorsIn(conversations)).found).toEqual([['AS-4', 'of public|null']])
    })

    it('SC146 vectors of other embedders are removed step by step, once unused, and their turns can be embedded again', async () => {
      const turns = ['a', 'b', 'c', 'd', 'e'].map(text => said(text))
      const conversations = await open({ 'AS-1': { turns } })
      await embedAll(conversations, 'old@1', START)
      await embedAll(conversations, 'busy@1', START + 50)
      await embedAll(conversations, MODEL, START)
      expect(await conversations.turnVectors.remove(MODEL, START, 2)).toEqual({ removed: 0, more: false })
      const steps = []
      do steps.push(await conversations.turnVectors.remove(MODEL, START + 50, 2))
      while (steps.at(-1)?.more)
      expect(steps.map(({ removed }) => removed)).toEqual([2, 2, 1])
      const kept = [['AS-1', ...['a', 'b', 'c', 'd', 'e'].map(text => `of ${text}|null`)]]
      expect((await vectorsIn(conversations, { model: 'old@1' })).found).toEqual([])
      expect((await vectorsIn(conversations, { model: 'busy@1' })).found).toEqual(kept)
      expect((await vectorsIn(conversations)).found).toEqual(kept)
      expect(await embedAll(conversations, 'old@1', START + 60)).toBe(2)
      expect((await vectorsIn(conversations, { model: 'old@1' })).found).toEqual(kept)
    })

    const { reopen } = factory
    if (reopen !== undefined) {
      it('SC148 vectors, and which turns have them, are there when the store is opened again', async () => {
        const store = await factory.open()
        await store.conversations.create(aConversation('AS-1', { turns: [said('one', 'un'), said('two')] }))
        const claim = await store.conversations.turnVectors.claim(MODEL, 1, START, START + 10)
        await store.conversations.turnVectors.keep(
          MODEL,
          claim?.claim ?? 0,
          vectorsOf(claim ?? { claim: 0, turns: [], more: false }),
        )
        const { conversations } = await reopenForTest(reopen, store)
        expect((await vectorsIn(conversations)).found).toEqual([['AS-1', 'of two|null']])
        expect(textsOf(await conversations.turnVectors.claim(MODEL, 9, START, START + 10))).toEqual(['one'])
      })
    }
  })
}
