import { runs } from '@colloquy/test-support/runs'
import { openVisitor } from '@colloquy/test-support/visitor'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { QuestionGroups, wordWeights } from '../../src/domain/questions/question-groups.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type PlatformOptions } from '../../src/platform.ts'
import { silentLog } from '../../src/ports/log.ts'
import { createFakeClock, createScriptedRuntime, START } from '../../src/testing/index.ts'
import { request } from '../support/request.ts'

/** Words that a visitor says, and whether the agent found nothing for them. */
type Said = readonly [text: string, isUnanswered: boolean]

/** A platform with one conversation for each list of words, the newest last. */
async function begin(conversations: readonly (readonly Said[])[], options: Partial<PlatformOptions> = {}) {
  const clock = createFakeClock()
  const platform = createPlatform({
    ...{ store: createMemoryStore(), clock, rateLimits: null, log: silentLog },
    runtime: createScriptedRuntime({}, clock),
    ...options,
  })
  onTestFinished(() => platform.close())
  const { accountId, agentId } = await openVisitor(platform, clock)
  const scope = { accountId, agentId, environment: 'live' as const }
  const startOf = (at: number): number => START - 10_000_000 + at * 1_000
  const earlier = conversations.map((said, at) => ({
    ...{ conversationId: `C-${at}`, channel: 'CHAT', startedAt: startOf(at) },
    turns: said.map(([userInput, outOfDomain], number) => ({
      ...{ turnId: `turn ${number}`, userInput, userInputAt: startOf(at) + number, outOfDomain },
      agentResponse: outOfDomain ? 'Sorry?' : 'Yes.',
    })),
    end: { finishedAt: startOf(at) + 500 },
  }))
  for (let at = 0; at < earlier.length; at += 100)
    await platform.conversations.import({ ...scope, conversations: earlier.slice(at, at + 100) })
  return { clock, platform, scope, startOf }
}

const textsOf = ({
  groups,
}: {
  readonly groups: readonly { readonly examples: readonly { text: string }[] }[]
}) => groups.map(({ examples }) => examples.map(({ text }) => text))

describe('questions without an answer', () => {
  test('WN1 only what the agent found nothing for is a question, the newest conversation first', async () => {
    const { platform, scope, startOf } = await begin([
      [
        ['Can I bring my dog?', true],
        ['Breakfast?', false],
      ],
      [
        ['Where do I park?', true],
        [' ', true],
      ],
      [['Breakfast?', false]],
    ])
    const found = await platform.reading.unanswered(scope)
    expect(found).toMatchObject({ conversations: 4, more: false, questions: 2, byMeaning: false })
    expect(found.groups).toEqual([
      { count: 1, examples: [{ text: 'Where do I park?', conversationId: 'C-1', startedAt: startOf(1) }] },
      { count: 1, examples: [{ text: 'Can I bring my dog?', conversationId: 'C-0', startedAt: startOf(0) }] },
    ])
  })

  test('WN2 and WN3 questions with most of their words in common are one group, the largest first', async () => {
    const { platform, scope } = await begin([
      [['Can I bring my dog?', true]],
      [['can I BRING my dog', true]],
      [['Can I bring a dog along?', true]],
      [['May I bring my dog?', true]],
      [['Can I bring my own wine?', true]],
      [['Is there a gym?', true]],
    ])
    const { groups } = await platform.reading.unanswered(scope)
    expect(groups[0]).toMatchObject({ count: 3 })
    expect(textsOf({ groups: groups.slice(0, 1) })).toEqual([
      ['May I bring my dog?', 'can I BRING my dog', 'Can I bring my dog?'].slice(0, 2),
    ])
  })

  test('WN2 with an embedder questions that mean the same are one group; without it two', async () => {
    const conversations: readonly (readonly Said[])[] = [
      [['Are pets allowed?', true]],
      [['Could my dog stay?', true]],
      [['Is there a gym?', true]],
    ]
    const embedder = {
      id: 'two ways',
      embed: async (texts: readonly string[]) =>
        texts.map(text => Float32Array.from(/pets|dog/.test(text) ? [1, 0.1] : [0, 1])),
    }
    const meant = await begin(conversations, { embedder, workers: false })
    const found = await meant.platform.reading.unanswered(meant.scope)
    expect(found.byMeaning).toBe(true)
    expect(textsOf(found)).toEqual([['Could my dog stay?', 'Are pets allowed?'], ['Is there a gym?']])
    const plain = await begin(conversations)
    expect((await plain.platform.reading.unanswered(plain.scope)).groups).toHaveLength(3)
  })

  test.each([
    ['throws', () => Promise.reject(new Error('no model'))],
    ['hangs', () => new Promise(() => undefined)],
    ['lies', async () => []],
  ])('WN2 an embedder that %s leaves the words', async (_, embed) => {
    const embedder = { id: 'broken', embed: embed as () => Promise<readonly Float32Array[]> }
    const { clock, platform, scope } = await begin([[['Is there a gym?', true]]], {
      embedder,
      workers: false,
    })
    const reading = platform.reading.unanswered(scope)
    await clock.settle()
    await clock.advance(platform.settings.semanticSearch.queryTimeout)
    expect(await reading).toMatchObject({ byMeaning: false, questions: 1 })
  })

  test('WN1 and WN3 what is read has bounds, and says so', async () => {
    const many = Array.from({ length: 60 }, (_, at): readonly Said[] => [
      [`question${at} word${at}`, true],
      ...Array.from({ length: 24 }, (_, number): Said => [`q${at}x${number}`, true]),
    ])
    const { platform, scope } = await begin(many)
    const few = await platform.reading.unanswered(scope, 3)
    expect(few).toMatchObject({ conversations: 3, more: true, questions: 40 })
    const all = await platform.reading.unanswered(scope)
    expect(all).toMatchObject({ conversations: 51, more: true, questions: 1_000 })
    expect(all.groups).toHaveLength(50)
    for (const wrong of [0, 2_001, 1.5])
      await expect(platform.reading.unanswered(scope, wrong)).rejects.toThrow(/limit must be a whole number/)
  })

  test('WN1 and WN3 of a long conversation the newest questions count, and there are more', async () => {
    const asked = (count: number) => [
      Array.from({ length: count }, (_, number): Said => [`q${number} x${number}`, true]),
    ]
    const long = await begin(asked(25))
    const found = await long.platform.reading.unanswered(long.scope)
    expect(found).toMatchObject({ questions: 20, more: true })
    const expected = Array.from({ length: 20 }, (_, at) => [`q${24 - at} x${24 - at}`])
    expect(textsOf(found)).toEqual(expected)
    const short = await begin(asked(20))
    expect(await short.platform.reading.unanswered(short.scope)).toMatchObject({ questions: 20, more: false })
  })

  test('WN1 a long question is cut, and another account finds nothing', async () => {
    const { platform, scope } = await begin([[['why '.repeat(500), true]]])
    const { groups } = await platform.reading.unanswered(scope)
    expect(groups[0]?.examples[0]?.text.length).toBeLessThanOrEqual(300)
    const stranger = await platform.reading.unanswered({ ...scope, accountId: 'ws-other' })
    expect(stranger).toMatchObject({ conversations: 0, groups: [] })
  })
})

const pageSchema = z.object({
  total: z.number(),
  cursor: z.string().nullable(),
  groups: z.array(z.object({ count: z.number(), examples: z.array(z.object({ text: z.string() })) })),
})

test('WN5 a key of the account lists the groups page by page, of the conversations of the first page', async () => {
  const said = ['one', 'two', 'two', 'three', 'three', 'three', 'four']
  const { clock, platform, scope } = await begin(said.map(text => [[`${text}?`, true]]))
  const { accountId, agentId } = scope
  const key = await platform.access.createApiKey({ kind: 'workspace', accountId })
  const dispatcher = createDispatcher(platform, routes)
  const ask = async (query: string, secret = key.secret) => {
    const line = `GET /v1/agents/${agentId}/unanswered${query}`
    const answer = await dispatcher.handle(request(line, { headers: { 'x-api-key': secret } }))
    return { status: answer.status, json: JSON.parse(answer.body ?? 'null') as unknown }
  }
  const page = async (query: string) => pageSchema.parse((await ask(query)).json)
  const shown = (from: Awaited<ReturnType<typeof page>>) =>
    from.groups.map(({ count, examples }) => [count, examples[0]?.text])
  const first = await page('?limit=2')
  expect([first.total, shown(first)]).toEqual([
    4,
    [
      [3, 'three?'],
      [2, 'two?'],
    ],
  ])
  // What visitors ask now moves nothing.
  const startedAt = clock.now() + 1
  const conversation = {
    ...{ conversationId: 'late', channel: 'CHAT', startedAt, end: { finishedAt: startedAt } },
    turns: [
      { turnId: 'late', userInput: 'four?', userInputAt: startedAt, outOfDomain: true, agentResponse: '' },
    ],
  }
  await clock.advance(10_000)
  await platform.conversations.import({ ...scope, conversations: [conversation] })
  const second = await page(`?limit=2&cursor=${first.cursor}`)
  expect([second.cursor, shown(second)]).toEqual([
    null,
    [
      [1, 'four?'],
      [1, 'one?'],
    ],
  ])
  expect(shown(await page('?limit=1&conversations=1'))).toEqual([[1, 'four?']])
  expect(shown(await page('?clientEnv=sandbox'))).toEqual([])
  for (const wrong of ['?limit=0', '?limit=201', '?conversations=2001', '?cursor=x', '?startTime=never'])
    expect((await ask(wrong)).status).toBe(400)
  const stranger = await platform.access.createAccount({ slug: 'stranger', name: 'Stranger' })
  const other = await platform.access.createApiKey({ kind: 'workspace', accountId: stranger.id })
  expect((await ask('', other.secret)).status).toBe(403)
})

test('WN3 a page of groups has bounds', async () => {
  const { platform, scope } = await begin([[['one?', true]], [['two?', true]]])
  expect(textsOf(await platform.reading.unanswered(scope, 10, { offset: 1 }))).toEqual([['one?']])
  for (const page of [{ limit: 0 }, { limit: 201 }, { offset: -1 }])
    await expect(platform.reading.unanswered(scope, 10, page)).rejects.toMatchObject({
      code: 'SCHEMA_VALIDATION_FAILED',
    })
})

test('WN2 every question is in one group, and the same words are always together', () => {
  const word = fc.constantFrom('dog', 'cat', 'bring', 'may', 'I', 'gym', 'Café', 'CAFE', '你好')
  const texts = fc.array(
    fc.array(word, { minLength: 1, maxLength: 5 }).map(words => words.join(' ')),
    {
      maxLength: 60,
    },
  )
  fc.assert(
    fc.property(texts, given => {
      const groups = new QuestionGroups(wordWeights(given))
      for (const [at, text] of given.entries())
        groups.add({ text, conversationId: `C-${at}`, startedAt: at }, null)
      const found = groups.largest(100)
      expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(given.length)
      const counts = found.map(({ count }) => count)
      expect(counts).toEqual(counts.toSorted((one, other) => other - one))
      for (const { count, examples } of found) {
        expect(examples.length).toBeGreaterThan(0)
        expect(examples.length).toBeLessThanOrEqual(Math.min(3, count))
      }
      const twice = new QuestionGroups(wordWeights(given))
      for (const text of given) {
        twice.add({ text, conversationId: 'a', startedAt: 0 }, null)
        twice.add({ text: text.toUpperCase(), conversationId: 'b', startedAt: 0 }, null)
      }
      expect(twice.largest(100).map(({ count }) => count)).toEqual(counts.map(count => count * 2))
    }),
    { numRuns: runs(200, 3_000) },
  )
})
