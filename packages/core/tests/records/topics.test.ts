import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { openBench, said } from '@colloquy/test-support/semantic-search/bench'
import { openVisitor } from '@colloquy/test-support/visitor'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { MOST_TOPICS, TOPIC_LENGTH, withCitedTopic } from '../../src/domain/conversation/cited-topics.ts'
import { projectRecord } from '../../src/domain/conversation/project-record.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform } from '../../src/platform.ts'
import { silentLog } from '../../src/ports/log.ts'
import { aConversation, createFakeClock, createScriptedRuntime, START } from '../../src/testing/index.ts'
import { request } from '../support/request.ts'

const turn = (cited: string, more: object = {}) => ({
  record: { user_input: 'Hello', agent_response: 'Yes.' },
  details: { ...(cited === '' ? {} : { cited_topic: cited }), ...more },
})

/** Conversations of recorded turns, each with what was said and the topic that the answer rests on. */
async function recorded(talks: Readonly<Record<string, readonly (readonly [string, string])[]>>) {
  const { platform, keys } = await createPopulatedPlatform()
  const scope = { accountId: 'ws-one', agentId: 'PROJECT-A', environment: 'live' } as const
  for (const [conversationId, turns] of Object.entries(talks)) {
    const of = { agentId: scope.agentId, conversationId }
    await platform.conversations.start({ ...scope, conversationId, channel: 'CHAT', startedAt: START })
    for (const [at, [userInput, citedTopic]] of turns.entries())
      await platform.conversations.recordTurn({
        ...{ ...of, turnId: String(at), userInput, userInputAt: START, agentResponse: 'Yes.' },
        ...{ agentResponseAt: START + at, ...(citedTopic === '' ? {} : { citedTopic }) },
      })
    await platform.conversations.finish({ ...of, finishedAt: START + 1_000 })
  }
  const dispatcher = createDispatcher(platform, routes)
  async function ask(path: string) {
    const line = `GET ${path}`
    const { body, chunks } = await dispatcher.handle(
      request(line, { headers: { 'x-api-key': keys.project } }),
    )
    const texts: string[] = []
    for await (const chunk of chunks ?? []) texts.push(String(chunk))
    return JSON.parse(body ?? texts.join(''))
  }
  return { platform, scope, ask }
}

const TALKS = {
  'C-1': [
    ['May I bring my dog?', 'Pets'],
    ['And when is breakfast?', 'Breakfast'],
  ],
  'C-2': [['Is breakfast for dogs?', 'Breakfast']],
  'C-3': [['Hello', '']],
} as const

describe('topics of conversations', () => {
  test('RC606 every list is narrowed to conversations with a turn that rests on a topic', async () => {
    const { platform, scope, ask } = await recorded(TALKS)
    const { reading } = platform
    const idsOf = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id)
    for (const [topic, ids] of [
      ['Breakfast', ['C-1', 'C-2']],
      ['Pets', ['C-1']],
      ['pets', []],
    ] as const) {
      const filter = { ...scope, topic }
      expect(idsOf((await reading.records(filter, { offset: 0 }, 9)).records)).toEqual(ids)
      const newest = await reading.overview(filter, { offset: 0 }, 9)
      expect(idsOf(newest.conversations)).toEqual(ids.toReversed())
      for await (const { records } of reading.sample(filter, 9)) expect(idsOf(records)).toEqual(ids)
      for (const version of ['v1', 'v3'])
        expect(
          idsOf((await ask(`/${version}/ws-one/PROJECT-A/conversations?topic=${topic}`)).conversations),
        ).toEqual(ids)
    }
    expect(await reading.health({ ...scope, topic: 'Pets' })).toMatchObject({ conversations: 1 })
  })

  test('RC606 with words one turn has all of them and rests on the topic', async () => {
    const { platform, scope } = await recorded(TALKS)
    const found = async (topic: string, word: string) => {
      const words = { words: [word], speaker: 'user' } as const
      const page = await platform.reading.records({ ...scope, topic, words }, { offset: 0 }, 9)
      return page.records.map(({ id }) => id)
    }
    expect(await found('Breakfast', 'breakfast')).toEqual(['C-1', 'C-2'])
    expect(await found('Breakfast', 'bring')).toEqual([])
    expect(await found('Pets', 'bring')).toEqual(['C-1'])
  })

  test('RC606 with a semantic search one turn means about the same and rests on the topic', async () => {
    const bench = openBench(createMemoryStore())
    onTestFinished(() => bench.platform.close())
    const about = (text: string, topic: string) => ({ ...said(text), details: { cited_topic: topic } })
    await bench.create('C-1', { turns: [about('a dog', 'Pets'), about('coffee', 'Breakfast')] })
    await bench.create('C-2', { turns: [about('a dog', 'Breakfast')] })
    await bench.clock.advance(1_000)
    const semantic = { text: 'puppy', speaker: 'user' } as const
    const found = async (filter: object) => {
      const scope = { accountId: 'ws-1', agentId: 'PROJECT-1', environment: 'live' as const }
      const { accountId, agentId } = { ...scope, ...aConversation('x').index }
      const query = { ...scope, accountId, agentId, semantic, ...filter }
      return (await bench.platform.reading.records(query, { offset: 0 }, 9)).records.map(({ id }) => id)
    }
    expect(await found({})).toEqual(['C-1', 'C-2'])
    expect(await found({ topic: 'Pets' })).toEqual(['C-1'])
    expect(await found({ topic: 'Breakfast' })).toEqual(['C-2'])
  })

  test('RC607 a record names the topics of its turns once each, in order; of a failed turn none', async () => {
    const clock = createFakeClock()
    const pets = { type: 'topic', name: 'Pets', cited: true } as const
    const parking = { type: 'topic', name: 'Parking', cited: false } as const
    const bar = { type: 'topic', name: 'Bar', cited: true } as const
    const runtime = createScriptedRuntime(
      {
        greeting: 'Welcome.',
        messages: {
          dog: [parking, pets, 'Yes.'],
          bar: [bar, 'Yes.'],
          fails: [
            { type: 'topic', name: 'Sauna', cited: true },
            { type: 'fail', message: 'gone' },
          ],
        },
      },
      clock,
    )
    const platform = createPlatform({
      ...{ store: createMemoryStore(), clock, rateLimits: null, log: silentLog, runtime },
      onError: () => {},
    })
    onTestFinished(() => platform.close())
    const visitor = await openVisitor(platform, clock)
    const { accountId, agentId, id } = visitor
    await visitor.join()
    for (const text of ['bar', 'dog', 'bar', 'fails']) await visitor.say(text)
    const record = await platform.reading.record(accountId, agentId, id)
    expect(record?.details.value.topics).toEqual(['Bar', 'Pets'])
    const scope = { accountId, agentId, environment: 'live' } as const
    const count = async (topic: string) =>
      (await platform.reading.overview({ ...scope, topic }, { offset: 0 }, 9)).conversations.length
    expect([await count('Pets'), await count('Parking'), await count('Sauna')]).toEqual([1, 0, 0])
  })

  test(`RC607 a record names at most ${MOST_TOPICS} topics, and nothing longer than ${TOPIC_LENGTH} characters`, () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('', ...Array.from({ length: 30 }, (_, at) => `T-${at}`))),
        names => {
          const kept = names.reduce<readonly string[]>((all, name) => withCitedTopic(all, turn(name)), [])
          const different = [...new Set(names)].filter(name => name !== '')
          expect(kept).toEqual(different.slice(0, MOST_TOPICS))
        },
      ),
    )
    expect(withCitedTopic([], turn('x'.repeat(500)))).toEqual(['x'.repeat(TOPIC_LENGTH)])
    const before = ['Pets']
    expect(withCitedTopic(before, turn('Pets'))).toBe(before)
  })

  test('RC607 a conversation from before topics were kept says nothing of them until the next turn', () => {
    const { state } = aConversation('C-1')
    const { topics: _, ...record } = { ...state.record, topics: [] }
    expect(projectRecord({ ...state, record }).details).not.toHaveProperty('topics')
    expect(withCitedTopic(undefined, turn('Pets'))).toEqual(['Pets'])
  })
})
