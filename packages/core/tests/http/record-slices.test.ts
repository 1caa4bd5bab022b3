import { describe, expect, it, onTestFinished } from 'vitest'
import { projectTurn } from '../../src/domain/conversation/project-turn.ts'
import type { RecordJson, StoredTurn } from '../../src/domain/conversation/record.ts'
import { jsonOf, jsonText, type StoredJson } from '../../src/domain/stored-json.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform } from '../../src/platform.ts'
import type { ConversationStore } from '../../src/ports/store/conversations.ts'
import type { RecordPage } from '../../src/ports/store/records.ts'
import {
  ACCOUNT,
  AGENT,
  aConversation,
  anAccount,
  anAgent,
  createFakeClock,
  createScriptedRuntime,
  START,
} from '../../src/testing/index.ts'
import { request } from '../support/reading-fakes.ts'

const turn = (index: number, bytes: number): StoredTurn => ({
  record: projectTurn({
    ...{ userInput: `hello ${index}`, userInputAt: START },
    ...{ agentResponse: 'é'.repeat(bytes / 2), agentResponseAt: START },
  }),
  details: { function_events: index % 2 === 0 ? [{ name: `f${index}` }] : [] },
})

/** Makes all stored JSON anew. */
type Form = <T>(json: StoredJson<T>) => StoredJson<T>

const VALUES: Form = ({ value }) => jsonOf(value)
const TEXTS: Form = ({ text }) => jsonText(text)

/** The methods of a store that hand JSON on, in that form. */
function inForm({ records, turnPage }: ConversationStore, form: Form) {
  const ofRecord = ({ summary, details, turns }: RecordJson): RecordJson => ({
    ...{ summary: form(summary), details: form(details) },
    turns: turns && form(turns),
  })
  const ofPage = (page: RecordPage): RecordPage => ({
    ...page,
    records: page.records.map(({ json, ...record }) => ({ ...record, json: ofRecord(json) })),
  })
  return {
    records: {
      ...records,
      list: async (...given: Parameters<typeof records.list>) => ofPage(await records.list(...given)),
      newest: async (...given: Parameters<typeof records.newest>) => ofPage(await records.newest(...given)),
      async find(...given: Parameters<typeof records.find>) {
        const found = await records.find(...given)
        return found && ofRecord(found)
      },
    },
    async turnPage(...given: Parameters<typeof turnPage>) {
      const { turns, more } = await turnPage(...given)
      return {
        turns: turns.map(({ record, details }) => ({ record: form(record), details: form(details) })),
        more,
      }
    },
  }
}

/** A platform over records of so many turns of so many bytes, that counts what its store is asked for. */
async function setUp(
  sizes: readonly { readonly turns: number; readonly bytes: number }[],
  form: Form = VALUES,
) {
  const store = createMemoryStore()
  await store.access.accounts.create(anAccount())
  await store.agents.create(anAgent())
  for (const [index, { turns, bytes }] of sizes.entries()) {
    const said = Array.from({ length: turns }, (_, number) => turn(number, bytes))
    await store.conversations.create(aConversation(`C-${index}`, { turns: said, startedAt: START + index }))
  }
  const asked: string[] = []
  const { records, turnPage } = inForm(store.conversations, form)
  const conversations: ConversationStore = {
    ...store.conversations,
    records: {
      ...records,
      list: (...given) => {
        asked.push('records')
        return records.list(...given)
      },
    },
    turnPage: (...given) => {
      asked.push('turns')
      return turnPage(...given)
    },
  }
  async function ask(sliceBytes: number) {
    const clock = createFakeClock()
    const platform = createPlatform({
      ...{ store: { ...store, conversations }, clock, rateLimits: null, wakeInterval: 1e9 },
      ...{ runtime: createScriptedRuntime({}, clock), limits: { sliceBytes } },
    })
    onTestFinished(() => platform.idle())
    const { secret } = await platform.access.createApiKey({
      kind: 'project',
      accountId: ACCOUNT,
      agentId: AGENT,
    })
    const dispatcher = createDispatcher(platform, routes)
    const get = async (version: string, query: string, id = '') => {
      const path = `/${version}/${ACCOUNT}/${AGENT}/conversations${id === '' ? '' : `/${id}`}`
      return dispatcher.handle({ ...request(query, { 'x-api-key': secret }), path })
    }
    const text = async (...given: Parameters<typeof get>) => {
      const { body, chunks } = await get(...given)
      let whole = body ?? ''
      for await (const chunk of chunks ?? []) whole += chunk
      return whole
    }
    return { get, text, platform }
  }
  return { ask, asked, store }
}

const LISTS = [
  ['v1', 'limit=5000'],
  ['v1', 'limit=4&offset=1'],
  ['v3', 'limit=1000'],
  ['v3', 'limit=3'],
  ['v3', 'limit=1000&query_type=transcript&query=hello&start_time=2020-01-01&end_time=2040-01-01'],
  ['v3', 'limit=1000&sample=random&start_time=2020-01-01&end_time=2040-01-01'],
] as const

describe('answers of long records', () => {
  it.each([
    ['short ones', [1, 2, 0, 3].map(turns => ({ turns, bytes: 100 }))],
    [
      'a long one first, one between and one last',
      [9, 1, 9, 9, 0, 9].map(turns => ({ turns, bytes: 1_000 })),
    ],
    ['long turns', [1, 3, 1].map(turns => ({ turns, bytes: 9_000 }))],
  ])('RC44 are the same in slices of any size: %s', async (_, sizes) => {
    const { ask } = await setUp(sizes)
    const whole = await ask(100_000_000)
    for (const sliceBytes of [1, 500, 4_000, 20_000]) {
      const sliced = await ask(sliceBytes)
      for (const [version, query] of LISTS)
        expect(await sliced.text(version, query), `${query} in ${sliceBytes}`).toBe(
          await whole.text(version, query),
        )
      for (const index of sizes.keys())
        expect(await sliced.text('v3', '', `C-${index}`)).toBe(await whole.text('v3', '', `C-${index}`))
    }
    const { conversations } = JSON.parse(await whole.text('v1', 'limit=5000'))
    expect(conversations.map(({ turns }: { turns: unknown[] }) => turns.length)).toEqual(
      sizes.map(({ turns }) => turns),
    )
  })

  it('are the same whether the store holds texts or values', async () => {
    const sizes = [2, 0, 9, 1].map(turns => ({ turns, bytes: 1_000 }))
    const [ofValues, ofTexts] = [await setUp(sizes, VALUES), await setUp(sizes, TEXTS)]
    for (const sliceBytes of [4_000, 100_000_000]) {
      const [values, texts] = [await ofValues.ask(sliceBytes), await ofTexts.ask(sliceBytes)]
      for (const [version, query] of LISTS)
        expect(await texts.text(version, query), query).toBe(await values.text(version, query))
      for (const index of sizes.keys())
        expect(await texts.text('v3', '', `C-${index}`)).toBe(await values.text('v3', '', `C-${index}`))
      const scope = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
      const newest = async ({ platform }: typeof values) => {
        const shown: unknown[] = []
        for await (const { records } of platform.reading.newest(scope, 0, 9))
          for (const { json } of records)
            shown.push([json.summary.text, json.details.text, json.details.value, json.turns?.value])
        return shown
      }
      expect(await newest(texts)).toHaveLength(sizes.length)
      expect(await newest(texts)).toEqual(await newest(values))
    }
  })

  it('RC44 hold one slice: the next is read when the one before was taken', async () => {
    const { ask, asked } = await setUp(Array.from({ length: 40 }, () => ({ turns: 2, bytes: 5_000 })))
    const { get } = await ask(24_000)
    const { chunks } = await get('v1', 'limit=5000')
    const iterator = chunks?.[Symbol.asyncIterator]()
    expect(asked).toEqual(['records'])
    let bytes = 0
    for (let next = await iterator?.next(); next?.done === false; next = await iterator?.next()) {
      expect(Buffer.byteLength(next.value)).toBeLessThan(26_000)
      bytes += Buffer.byteLength(next.value)
      expect(asked.length - 1).toBeLessThanOrEqual(bytes / 20_000 + 1)
    }
    expect(bytes).toBeGreaterThan(400_000)
    expect(asked).toHaveLength(20)
  })

  it('RC44 so do those of one conversation that is longer than a slice, function events and turns', async () => {
    const { ask, asked } = await setUp([{ turns: 60, bytes: 5_000 }])
    const { get } = await ask(24_000)
    const { chunks } = await get('v3', '', 'C-0')
    let whole = ''
    let most = 0
    for await (const chunk of chunks ?? []) {
      most = Math.max(most, Buffer.byteLength(chunk))
      whole += chunk
    }
    expect(most).toBeLessThan(26_000)
    expect(asked.length).toBeGreaterThan(25)
    const record = JSON.parse(whole)
    expect(record.turns).toHaveLength(60)
    expect(record.function_events).toHaveLength(30)
  })

  it('RC71 as a library call, too: turns that are too long for one text are read slice by slice', async () => {
    const { ask, store } = await setUp([{ turns: 9, bytes: 5_000 }])
    const { platform } = await ask(24_000)
    const id = 'C-0'
    expect(await platform.reading.record(ACCOUNT, AGENT, id)).toMatchObject({ turns: null })
    const page = await platform.reading.records(
      { accountId: ACCOUNT, agentId: AGENT, environment: 'live' },
      { offset: 0 },
      9,
    )
    expect(page).toMatchObject({ records: [{ id, json: { turns: null } }], more: false })
    const slices: number[] = []
    for await (const turns of platform.reading.turns(ACCOUNT, AGENT, id)) slices.push(turns.length)
    expect(slices).toEqual([4, 4, 1])
    await expect(async () => {
      for await (const _ of platform.reading.turns('ws-other', AGENT, id)) expect.unreachable()
    }).rejects.toMatchObject({ code: 'CONVERSATIONS_NOT_FOUND' })
    const read = async () => {
      for await (const _ of platform.reading.turns(ACCOUNT, AGENT, id)) {
        const state = await store.conversations.load(id)
        const ended = aConversation(id, { index: { finishedAt: START } })
        await store.conversations.append({
          ...ended,
          ...{
            expectedVersion: state?.version ?? 0,
            changes: null,
            events: [],
            turns: [],
          },
          ...{
            deliveredExternalEvents: [],
            joinedWait: null,
            talkRoom: null,
            deskOutcomes: [],
            summary: null,
            wakeAt: null,
          },
        })
        await store.conversations.removals.remove(ACCOUNT, AGENT, id)
      }
    }
    await expect(read()).rejects.toMatchObject({ code: 'CONVERSATIONS_NOT_FOUND' })
  })
})
