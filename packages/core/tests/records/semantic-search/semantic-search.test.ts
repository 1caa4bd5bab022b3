import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { LIVE, openBench, START, said } from '@colloquy/test-support/semantic-search/bench'
import { searchesLikeBruteForce } from '@colloquy/test-support/semantic-search/brute-force'
import { createToyEmbedder, toyVector } from '@colloquy/test-support/semantic-search/toy-embedder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDispatcher } from '../../../src/http/dispatcher.ts'
import { routes } from '../../../src/http/routes.ts'
import { createMemoryStore } from '../../../src/memory/index.ts'
import type { PlatformOptions } from '../../../src/platform.ts'
import { contextOf } from '../../../src/platform-context.ts'
import { aConversation } from '../../../src/testing/index.ts'
import { request } from '../../support/request.ts'

const RANGE = 'start_time=2026-01-01&end_time=2026-01-02'

const TALKS: Readonly<Record<string, readonly [user: string, agent: string]>> = {
  'AS-1': ['my puppy', 'pet food'],
  'AS-2': ['the van', 'a hound'],
  'AS-3': ['coffee', 'eggs'],
}

/** The v3 list of an agent with these conversations, over HTTP. */
async function overHttp(options: Partial<PlatformOptions> = {}, talks = TALKS) {
  const { platform, keys, clock } = await createPopulatedPlatform(options)
  const owner = { accountId: 'ws-one', agentId: 'PROJECT-A' }
  for (const [id, [user, agent]] of Object.entries(talks)) {
    const made = aConversation(id, { turns: [said(user, agent)], startedAt: START })
    const index = { ...made.index, ...owner }
    await contextOf(platform).store.conversations.create({ ...made, index })
  }
  await clock.advance(1_000)
  const dispatcher = createDispatcher(platform, routes)
  return async (query: string) => {
    const line = `GET /v3/ws-one/PROJECT-A/conversations?${RANGE}&${query}`
    const { status, body, chunks } = await dispatcher.handle(
      request(line, { headers: { 'x-api-key': keys.project } }),
    )
    const texts: string[] = []
    for await (const chunk of chunks ?? []) texts.push(String(chunk))
    return { status, chunks: texts.length, ...JSON.parse(body ?? texts.join('')) }
  }
}

const idsOf = ({ conversations }: { readonly conversations: readonly { readonly id: string }[] }) =>
  conversations.map(({ id }) => id)

/** A store that shows two conversations at a time, and how often it was asked. */
function inSmallSteps() {
  const store = createMemoryStore()
  const { conversations: kept } = store
  const asked: string[] = []
  const next: typeof kept.turnVectors.next = (embedderId, filter, after) => {
    asked.push(after?.id ?? '')
    return kept.turnVectors.next(embedderId, filter, after, 2)
  }
  const conversations = { ...kept, turnVectors: { ...kept.turnVectors, next } }
  return { asked, store: { ...store, conversations } }
}

/** Texts of conversations, each with whether it holds what the tests search for. */
const talk = (found: boolean) => ({ turns: [said(found ? 'a dog' : 'coffee')] })

describe('over HTTP', () => {
  it('RC45 a semantic search without an embedder is 501, and the message names the option', async () => {
    const ask = await overHttp()
    expect(await ask('query_type=semantic&query=dog')).toMatchObject({
      status: 501,
      error_code: 'NOT_IMPLEMENTED',
      error_message: expect.stringMatching(/semantic.*createPlatform.*embedder/),
    })
  })

  it('RC45 a semantic search finds turns by their semantic, on the side that is asked for, page by page', async () => {
    const ask = await overHttp({ embedder: createToyEmbedder().embedder })
    const found = await ask('query_type=semantic&query=dog')
    expect(found.status).toBe(200)
    expect(idsOf(found)).toEqual(['AS-1', 'AS-2'])
    expect(found.cursor).toBeNull()
    expect(idsOf(await ask('query_type=semantic&query=dog&turn_type=user'))).toEqual(['AS-1'])
    expect(idsOf(await ask('query_type=semantic&query=car&turn_type=agent'))).toEqual([])
    expect(idsOf(await ask('query_type=semantic&query=morning&channel=webchat'))).toEqual(['AS-3'])
    const first = await ask('query_type=semantic&query=dog&limit=1')
    expect(idsOf(first)).toEqual(['AS-1'])
    const second = await ask(`query_type=semantic&query=dog&limit=1&cursor=${first.cursor}`)
    expect([idsOf(second), second.cursor]).toEqual([['AS-2'], null])
  })

  it('a search that finds little is answered in chunks, and together they are JSON', async () => {
    const { store } = inSmallSteps()
    const entries = Array.from({ length: 60 }, (_, at) => [
      `AS-${100 + at}`,
      [at > 57 ? 'a dog' : 'coffee', ''],
    ])
    const talks: typeof TALKS = Object.fromEntries(entries)
    const ask = await overHttp({ embedder: createToyEmbedder().embedder, store }, talks)
    const found = await ask('query_type=semantic&query=dog')
    expect(found.chunks).toBeGreaterThan(2)
    expect([idsOf(found), found.cursor]).toEqual([['AS-158', 'AS-159'], null])
    const first = await ask('query_type=semantic&query=dog&limit=1')
    expect(idsOf(first)).toEqual(['AS-158'])
    const second = await ask(`query_type=semantic&query=dog&limit=1&cursor=${first.cursor}`)
    expect([idsOf(second), second.cursor, second.chunks]).toEqual([['AS-159'], null, 0])
  })

  it('RO10 a semantic search finds the conversations of one deployment', async () => {
    const bench = openBench(createMemoryStore())
    onTestFinished(() => bench.platform.close())
    for (const [id, deploymentId] of Object.entries({ 'C-1': 'D-1', 'C-2': 'D-2', 'C-3': null }))
      await bench.create(id, { turns: [said('a dog')], index: { deploymentId } })
    await bench.clock.advance(1_000)
    const found = async (filter: object) => {
      const { accountId, agentId } = aConversation('x').index
      const semantic = { text: 'puppy', speaker: 'user' } as const
      const query = { accountId, agentId, environment: 'live' as const, semantic, ...filter }
      return (await bench.platform.reading.records(query, { offset: 0 }, 9)).records.map(({ id }) => id)
    }
    expect(await found({})).toEqual(['C-1', 'C-2', 'C-3'])
    expect(await found({ deploymentId: 'D-1' })).toEqual(['C-1'])
    expect(await found({ deploymentId: 'D-3' })).toEqual([])
  })

  it('RC45 a blank query is refused', async () => {
    const ask = await overHttp({ embedder: createToyEmbedder().embedder })
    expect(await ask('query_type=semantic&query=%20')).toMatchObject({
      status: 400,
      error_message: 'query must not be blank.',
    })
  })

  it('RC50 an embedder that fails at the query is 503, and the answer does not say why', async () => {
    const { embedder, state } = createToyEmbedder()
    const ask = await overHttp({ embedder })
    state.spoil = () => Promise.reject(new Error('secret of the model'))
    const answer = await ask('query_type=semantic&query=dog')
    expect(answer).toMatchObject({ status: 503, error_code: 'EMBEDDER_FAILED' })
    expect(JSON.stringify(answer)).not.toContain('secret')
  })
})

describe('searches', () => {
  it('RC45 a search finds what a comparison of every turn with the query finds', async () => {
    await searchesLikeBruteForce(createMemoryStore, 120)
  })

  it('RC45 what contradicts itself is refused', async () => {
    const { platform, search } = openBench(createMemoryStore())
    const refused = { code: 'SCHEMA_VALIDATION_FAILED' }
    await expect(search('x'.repeat(1_001))).rejects.toMatchObject(refused)
    await expect(search(' \n')).rejects.toMatchObject(refused)
    await expect(search('dog', { startTime: 2, endTime: 1 })).rejects.toMatchObject(refused)
    const words = { words: ['dog'], speaker: 'user' } as const
    await expect(search('dog', { words })).rejects.toMatchObject(refused)
    await platform.close()
  })

  it('RC45 a likeness that finds nothing, and batches of nothing, are refused at the start', () => {
    for (const semanticSearch of [
      { minLikeness: Number.NaN },
      { minLikeness: 50 },
      { batchTurns: 0 },
      { textLength: 0 },
    ])
      expect(() => openBench(createMemoryStore(), { semanticSearch, workers: false })).toThrow(
        'semanticSearch',
      )
  })

  it('RC44, RC50 a long search embeds its query once and comes in slices', async () => {
    const { platform, create, embedAll, asked } = openBench(createMemoryStore())
    for (let at = 0; at < 230; at++) await create(`AS-${1_000 + at}`, { turns: [said('a dog')] })
    await embedAll()
    const before = asked.length
    const sizes: (readonly [number, boolean])[] = []
    const query = { ...LIVE, semantic: { text: 'puppy', speaker: 'either' } } as const
    for await (const { records, more } of platform.reading.slices(query, { offset: 5 }, 220))
      sizes.push([records.length, more])
    expect(sizes).toEqual([
      [100, true],
      [100, true],
      [20, true],
    ])
    expect(asked.slice(before)).toEqual([['puppy']])
    await platform.close()
  })

  it('a search that finds little gives slices nevertheless, and stops when nobody asks for the next one', async () => {
    const { asked, store } = inSmallSteps()
    const { platform, create, embedAll, search } = openBench(store)
    for (let at = 0; at < 100; at++) await create(`AS-${100 + at}`, talk(at === 50 || at === 99))
    await embedAll()
    const query = { ...LIVE, semantic: { text: 'puppy', speaker: 'either' } } as const
    const slices = async (limit: number) => {
      const found: (readonly [readonly string[], boolean])[] = []
      for await (const { records, more } of platform.reading.slices(query, { offset: 0 }, limit))
        found.push([records.map(({ id }) => id), more])
      return found
    }
    expect(await slices(10)).toEqual([
      [[], true],
      [['AS-150'], true],
      [[], true],
      [['AS-199'], false],
    ])
    expect(await slices(1)).toEqual([
      [[], true],
      [[], true],
      [[], true],
      [['AS-150'], true],
    ])
    expect(await search('puppy')).toEqual(['AS-150', 'AS-199'])
    asked.length = 0
    for await (const _ of platform.reading.slices(query, { offset: 0 }, 10)) break
    expect(asked).toHaveLength(16)
    await platform.close()
  })

  it('offsets and pages of a search that finds little are those of all that it finds', async () => {
    const { store } = inSmallSteps()
    const { platform, create, embedAll } = openBench(store)
    const ids = Array.from({ length: 120 }, (_, at) => `AS-${100 + at}`)
    const isFound = (at: number) => at % 7 === 0 || (at > 60 && at < 90)
    for (const [at, id] of ids.entries()) await create(id, talk(isFound(at)))
    await embedAll()
    const expected = ids.filter((_, at) => isFound(at))
    const query = { ...LIVE, semantic: { text: 'puppy', speaker: 'either' } } as const
    for (const offset of [0, 1, 2, 9, 10, 30, expected.length - 1, expected.length, 500])
      for (const limit of [1, 2, 16, 31, 500]) {
        const { records, more } = await platform.reading.records(query, { offset }, limit)
        expect(records.map(({ id }) => id)).toEqual(expected.slice(offset, offset + limit))
        expect(more).toBe(offset + limit < expected.length)
      }
    await platform.close()
  })

  it('RC50 an embedder that hangs is given up in time, and the host hears why', async () => {
    const { platform, state, clock, search, told } = openBench(createMemoryStore())
    state.spoil = () => new Promise(() => {})
    const searching = expect(search('dog')).rejects.toMatchObject({ code: 'EMBEDDER_FAILED' })
    await clock.advance(5_000)
    await searching
    expect(told).toContainEqual([
      'warn',
      'A semantic search failed.',
      { embedder: 'toy@1', error: expect.objectContaining({ message: expect.stringContaining('5000 ms') }) },
    ])
    await platform.close()
  })

  it('RC50 a query with another dimension than the turns have is refused', async () => {
    const { platform, state, create, embedAll, search } = openBench(createMemoryStore())
    await create('AS-1', { turns: [said('a dog')] })
    await embedAll()
    state.spoil = async texts => texts.map(text => toyVector(text).slice(1))
    await expect(search('dog')).rejects.toMatchObject({ code: 'EMBEDDER_FAILED' })
    await platform.close()
  })

  it('RC45 a record that is removed during the search hides no other one', async () => {
    const store = createMemoryStore()
    const { conversations: kept } = store
    const next: typeof kept.turnVectors.next = async (...given) => {
      const step = await kept.turnVectors.next(...given)
      for (const { id } of step.conversations.slice(0, 2))
        await kept.removals.remove(LIVE.accountId, LIVE.agentId, id)
      return step
    }
    const conversations = { ...kept, turnVectors: { ...kept.turnVectors, next } }
    const { platform, create, embedAll } = openBench({ ...store, conversations })
    const finished = { turns: [said('a dog')], index: { finishedAt: START } }
    for (const id of ['AS-1', 'AS-2', 'AS-3', 'AS-4']) await create(id, finished)
    await embedAll()
    const query = { ...LIVE, semantic: { text: 'puppy', speaker: 'either' } } as const
    const page = await platform.reading.records(query, { offset: 0 }, 2)
    expect(page).toMatchObject({ records: [{ id: 'AS-3' }, { id: 'AS-4' }], more: false })
    await platform.close()
  })

  it('others have their turn while a search compares', async () => {
    const { platform, create, embedAll, search } = openBench(createMemoryStore())
    for (let at = 0; at < 1_000; at++) await create(`AS-${at}`, { turns: [said('a van')] })
    await embedAll()
    let [turns, over] = [0, false]
    const tick = (): void => {
      turns++
      if (!over) setImmediate(tick)
    }
    setImmediate(tick)
    expect(await search('dog')).toEqual([])
    over = true
    expect(turns).toBeGreaterThanOrEqual(3)
    await platform.close()
  })
})
