import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StoredTurn } from '../../../../domain/conversation/record.ts'
import type { ConversationStore } from '../../../../ports/store/conversations.ts'
import type { RecordFilter } from '../../../../ports/store/records.ts'
import type { TurnClaim } from '../../../../ports/store/turn-vectors.ts'
import { aConversation, anAppend, type ConversationFixture } from '../../../conversation-fixtures.ts'
import { ACCOUNT, AGENT, START } from '../../../fixtures.ts'
import { count, openForTest, RACERS, race, reopenForTest, type StoreFactory } from '../tools.ts'

const LIVE = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
const MODEL = 'model@1'
const FINISHED = { index: { finishedAt: START } }

const said = (user: string, agent = ''): StoredTurn => ({
  ...{ record: { user_input: user, agent_response: agent }, details: {} },
})
const all = (...texts: readonly string[]) => ({ turns: texts.map(text => said(text)) })

/** Stands for a vector: a store does not look into it. */
const bytesOf = (text: string) => (text === '' ? null : new TextEncoder().encode(`of ${text}`))
const textOf = (bytes: Uint8Array | null) =>
  bytes === null ? null : new TextDecoder().decode(Uint8Array.from(bytes))
const vectorsOf = (claim: TurnClaim | null) =>
  (claim?.turns ?? []).map(({ agent, turn, user }) => ({ turn, user: bytesOf(user), agent: bytesOf(agent) }))
const textsOf = (claim: TurnClaim | null) => claim?.turns.map(({ user }) => user) ?? null

/** Returns the turns' sides that have vectors, by conversation. It walks them step by step. */
async function vectorsIn(
  { turnVectors }: ConversationStore,
  { limit = 100, model = MODEL, ...filter }: Partial<RecordFilter> & { model?: string; limit?: number } = {},
) {
  const found: (readonly string[])[] = []
  for (let after: Parameters<typeof turnVectors.next>[2] = null; ; ) {
    const step = await turnVectors.next(model, { ...LIVE, ...filter }, after, limit)
    expect(step.conversations.flatMap(({ turns }) => turns).length).toBeLessThanOrEqual(Math.max(limit, 3))
    for (const { id, turns } of step.conversations)
      found.push([id, ...turns.map(({ agent, user }) => `${textOf(user)}|${textOf(agent)}`)])
    if (step.next === null) return found
    after = step.next
  }
}

/** Embeds all waiting turns; returns the number of claims that took. */
async function embedAll({ turnVectors }: ConversationStore, model = MODEL, now = START): Promise<number> {
  for (let claims = 0; ; claims++) {
    const claim = await turnVectors.claim(model, 3, now, now + 1)
    if (claim === null) return claims
    await turnVectors.keep(model, claim.claim, vectorsOf(claim))
  }
}

/** Tests of vectors of turns (SC140 and TM4). */
export function describeTurnVectors(factory: StoreFactory): void {
  const open = async (created: Readonly<Record<string, ConversationFixture>> = {}) => {
    const { conversations } = await openForTest(factory)
    for (const [id, values] of Object.entries(created)) await conversations.create(aConversation(id, values))
    const { turnVectors } = conversations
    const claim = (limit: number, now = 0, model = MODEL) =>
      turnVectors.claim(model, limit, START + now, START + now + 10)
    const keep = (claim: TurnClaim | null, vectors: ReturnType<typeof vectorsOf> = []) =>
      turnVectors.keep(MODEL, claim?.claim ?? 0, vectors)
    return { conversations, turnVectors, claim, keep }
  }

  describe('vectors of turns', () => {
    it('SC140 turns of listed conversations wait newest first, with their texts, also those that are written meanwhile', async () => {
      const { claim, conversations, keep } = await open({
        'AS-1': { turns: [said('one', 'first'), said('two')] },
        'AS-debug': { ...all('hidden'), index: { listed: false } },
        'AS-2': all('three'),
      })
      await conversations.append(anAppend(aConversation('AS-1'), 1, all('four')))
      const first = await claim(2)
      expect([textsOf(first), first?.more]).toEqual([['four', 'three'], true])
      await conversations.create(aConversation('AS-3', all('five')))
      expect(await keep(first)).toBe('kept')
      const rest = await claim(9)
      expect(rest).toMatchObject({
        turns: [
          { user: 'five', agent: '', conversationId: 'AS-3' },
          { user: 'two', agent: '', conversationId: 'AS-1' },
          { user: 'one', agent: 'first', conversationId: 'AS-1' },
        ],
        more: false,
      })
      await keep(rest)
      expect(await claim(9)).toBeNull()
    })

    it('SC140 and TM4 of several callers one gets the claim, until it is kept, given back, out of time, or too far ahead', async () => {
      const { claim, conversations, keep, turnVectors } = await open({ 'AS-1': all('one', 'two') })
      const claims = await race(() => claim(1))
      expect(count(claims, null)).toBe(RACERS - 1)
      const first = claims.find(one => one !== null) ?? null
      expect([textsOf(first), await claim(9, 9)]).toEqual([['two'], null])
      expect(textsOf(await claim(9, 0, 'other@1'))).toEqual(['two', 'one'])
      const second = await claim(9, 10)
      expect([textsOf(second), await keep(first, vectorsOf(first))]).toEqual([['two', 'one'], 'lost'])
      await turnVectors.release(MODEL, first?.claim ?? 0)
      expect(await claim(9, 11)).toBeNull()
      await turnVectors.release(MODEL, second?.claim ?? 0)
      expect(await vectorsIn(conversations)).toEqual([])
      expect([textsOf(await claim(9, 1_000)), await claim(9, 990)]).toEqual([['two', 'one'], null])
      const third = await claim(9, 989)
      expect([textsOf(third), await keep(second), await keep(third), await keep(third)]).toEqual([
        ['two', 'one'],
        'lost',
        'kept',
        'lost',
      ])
      expect(await turnVectors.keep('unknown', 1, [])).toBe('lost')
    })

    it('SC140 every turn of a kept claim is embedded, also without vectors; what was given back is not', async () => {
      const { claim, conversations, keep, turnVectors } = await open({
        'AS-1': { turns: [said('one'), said('two', 'deux'), said('three')] },
      })
      await turnVectors.release(MODEL, (await claim(1))?.claim ?? 0)
      const given = await claim(2)
      const vectors = vectorsOf(given)
      const keeping = keep(given, vectors.slice(1))
      for (const { user, agent } of vectors) for (const bytes of [user, agent]) bytes?.fill(0)
      await keeping
      expect(await vectorsIn(conversations)).toEqual([['AS-1', 'of two|of deux']])
      expect(textsOf(await claim(9))).toEqual(['one'])
    })

    it('SC140 whatever happens in between, each turn is embedded in the end, with its own vectors', async () => {
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
          const { turnVectors } = conversations
          const there = new Map<string, { version: number; texts: readonly string[] }>()
          const claims: TurnClaim[] = []
          let [now, texts] = [START, 0]
          for (const one of steps) {
            now++
            if (one.type === 'write') {
              const id = `AS-${one.of}`
              const { version, texts: before } = there.get(id) ?? { version: 0, texts: [] }
              const added = Array.from({ length: one.turns }, () => `t${texts++}`)
              const write = aConversation(id, { ...all(...added), ...FINISHED })
              if (version === 0) await conversations.create(write)
              else await conversations.append(anAppend(write, version, { ...all(...added), events: [] }))
              there.set(id, { version: version + 1, texts: [...before, ...added] })
            } else if (one.type === 'remove') {
              await conversations.removals.remove(ACCOUNT, AGENT, `AS-${one.of}`)
              there.delete(`AS-${one.of}`)
            } else if (one.type === 'claim') {
              const claim = await turnVectors.claim(MODEL, one.limit, now, now + 5)
              if (claim !== null) claims.push(claim)
            } else {
              const claim = one.type === 'late' ? claims.at(-2) : claims.at(-1)
              if (claim === undefined) continue
              if (one.type === 'release') await turnVectors.release(MODEL, claim.claim)
              else await turnVectors.keep(MODEL, claim.claim, vectorsOf(claim))
            }
          }
          await embedAll(conversations, MODEL, now + 10)
          const expected = [...there].map(([id, { texts }]) => [id, ...texts.map(text => `of ${text}|null`)])
          expect(await vectorsIn(conversations)).toEqual(
            expected.filter(({ length }) => length > 1).toSorted(),
          )
          await store.close()
        }),
        { numRuns: 40 },
      )
    })

    it('SC140 vectors of what the filter selects are told in the order of records, in steps', async () => {
      const talk = (index: number): ConversationFixture => ({
        ...{
          startedAt: START + (index % 3),
          ...all(...Array.from({ length: index % 4 }, (_, at) => `${index}.${at}`)),
        },
        index: { channel: index % 2 === 0 ? 'CHAT' : 'voice', listed: index !== 7 },
      })
      const talks = Array.from({ length: 12 }, (_, index) => ({ id: `AS-${10 + index}`, index }))
      const { conversations } = await open(
        Object.fromEntries(talks.map(({ id, index }) => [id, talk(index)])),
      )
      await embedAll(conversations)
      const expected = (wanted: (index: number) => boolean) =>
        talks
          .filter(({ index }) => index !== 7 && index % 4 > 0 && wanted(index))
          .toSorted((one, other) => (one.index % 3) - (other.index % 3) || one.index - other.index)
          .map(({ id, index }) => [
            id,
            ...Array.from({ length: index % 4 }, (_, at) => `of ${index}.${at}|null`),
          ])
      for (const limit of [1, 2, 4, 100])
        expect(await vectorsIn(conversations, { limit })).toEqual(expected(() => true))
      expect(await vectorsIn(conversations, { channels: ['CHAT'], limit: 2 })).toEqual(
        expected(index => index % 2 === 0),
      )
      const middle = { startTime: START + 1, endTime: START + 2 }
      expect(await vectorsIn(conversations, middle)).toEqual(expected(index => index % 3 === 1))
      expect(await vectorsIn(conversations, { model: 'other@1' })).toEqual([])
    })

    it('SC140 vectors of other embedders are removed step by step, once unused, and their turns can be embedded again', async () => {
      const { conversations, turnVectors } = await open({ 'AS-1': all('a', 'b', 'c', 'd', 'e') })
      for (const [model, at] of [
        ['old@1', START],
        ['busy@1', START + 50],
        [MODEL, START],
      ] as const)
        await embedAll(conversations, model, at)
      expect(await turnVectors.remove(MODEL, START, 2)).toEqual({ removed: 0, more: false })
      const steps = []
      do steps.push(await turnVectors.remove(MODEL, START + 50, 2))
      while (steps.at(-1)?.more)
      expect(steps.map(({ removed }) => removed)).toEqual([2, 2, 1])
      const kept = [['AS-1', ...['a', 'b', 'c', 'd', 'e'].map(text => `of ${text}|null`)]]
      const found = (['old@1', 'busy@1', MODEL] as const).map(model => vectorsIn(conversations, { model }))
      expect(await Promise.all(found)).toEqual([[], kept, kept])
      expect(await embedAll(conversations, 'old@1', START + 60)).toBe(2)
      expect(await vectorsIn(conversations, { model: 'old@1' })).toEqual(kept)
    })

    const { reopen } = factory
    if (reopen !== undefined)
      it('SC140 vectors, and which turns have them, are there when the store is opened again', async () => {
        const store = await factory.open()
        await store.conversations.create(aConversation('AS-1', { turns: [said('one', 'un'), said('two')] }))
        const claim = await store.conversations.turnVectors.claim(MODEL, 1, START, START + 10)
        await store.conversations.turnVectors.keep(MODEL, claim?.claim ?? 0, vectorsOf(claim))
        const { conversations } = await reopenForTest(reopen, store)
        expect(await vectorsIn(conversations)).toEqual([['AS-1', 'of two|null']])
        expect(textsOf(await conversations.turnVectors.claim(MODEL, 9, START, START + 10))).toEqual(['one'])
      })
  })
}
