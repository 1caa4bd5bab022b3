import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { REPLAY_MODES } from '../../src/domain/agent/replay.ts'
import type { TestRun } from '../../src/domain/agent/test-run.ts'
import type { JsonObject } from '../../src/domain/json.ts'
import { defineFunction } from '../../src/index.ts'
import { createMemoryDocuments, createMemoryStore } from '../../src/memory/index.ts'
import { contextOf } from '../../src/platform-context.ts'
import type { RuntimeTurn } from '../../src/ports/agent-runtime.ts'
import { storeOver } from '../../src/store/groups.ts'
import { type ReplaySample, TEST_RUN } from '../../src/store/kinds.ts'
import type { Script } from '../../src/testing/index.ts'
import { recorded, replayed, talk, textOf } from './replay-support.ts'
import { AGENT, createBench } from './support.ts'

describe('replays of single turns', () => {
  test('TE67 each turn has the history, variables, language and time that it had', async () => {
    const seen: string[] = []
    const bench = await createBench({
      script: {
        greeting: 'Hi.',
        async otherwise(turn) {
          const history = (await turn.history(9)).map(({ from, text }) => `${from}: ${text}`)
          const { said = 0 } = turn.variables
          seen.push(
            JSON.stringify([turn.kind === 'test', textOf(turn), history, said, turn.language, turn.now]),
          )
          return [
            { type: 'variable', key: 'said', value: Number(said) + 1 },
            { type: 'language', languageCode: 'de-DE' },
            `Answer ${Number(said) + 1}.`,
          ]
        },
      },
    })
    const { deploymentId } = await recorded(bench, ['a', 'b', 'c'])
    await bench.clock.advance(60_000)
    const before = seen.splice(0).map(line => JSON.parse(line).slice(1))
    expect(before.map(([, history, said, language]) => [history.length, said, language])).toEqual([
      [1, 0, 'en-GB'],
      [3, 1, 'de-DE'],
      [5, 2, 'de-DE'],
    ])
    const { report } = await replayed(bench.platform, { deploymentId })
    expect(report.verdicts).toMatchObject({ same: 4 })
    // Each is asked twice: the first conversation measures the noise.
    expect(seen.map(line => JSON.parse(line).slice(1))).toEqual(before.flatMap(one => [one, one]))
    expect(report.noise).toEqual({ turns: 4, different: 0 })
  })

  test('TE67 a difference at one turn does not change what the next one is asked', async () => {
    let isNew = false
    const bench = await createBench({
      script: {
        greeting: 'Hi.',
        async otherwise(turn) {
          if (isNew && textOf(turn) === 'b') return [{ type: 'fail', message: 'No model.' }]
          if (isNew && textOf(turn) === 'a') return ['Bye.', { type: 'end' }]
          return `After ${(await turn.history(1))[0]?.text}`
        },
      },
    })
    const { deploymentId } = await recorded(bench, ['a', 'b', 'c'])
    isNew = true
    const { turns } = await replayed(bench.platform, { deploymentId })
    expect(turns.map(({ turn, verdict, reason }) => [turn, verdict, reason])).toEqual([
      [2, 'errored', 'agent_failed'],
      [1, 'changed', 'end'],
      [0, 'same', 'same'],
      [3, 'same', 'same'],
    ])
    const course = await replayed(bench.platform, { deploymentId, mode: 'live_history' })
    expect(course.report.verdicts).toMatchObject({ changed: 1, off_script: 2, same: 1 })
  })

  test('TE67 the agent reads what the guard left of a message, and of those before it', async () => {
    const bench = await createBench({
      guard: {
        judge: ({ direction, text }) =>
          direction === 'incoming' && text === 'a'
            ? { verdict: 'change', text: 'A' }
            : direction === 'incoming' && text === 'b'
              ? { verdict: 'refuse', text: 'No.' }
              : { verdict: 'allow' },
      },
      script: {
        greeting: 'Hi.',
        otherwise: async turn =>
          `${textOf(turn)} after ${(await turn.history(9)).map(({ text }) => text).join(', ')}`,
      },
    })
    const { deploymentId } = await recorded(bench, ['a', 'b', 'c'])
    const { report } = await replayed(bench.platform, { deploymentId })
    expect(report.verdicts).toMatchObject({ same: 4 })
  })

  test('TE67 functions have what they had, with what they wrote, and expected events are written nowhere', async () => {
    const executed: string[] = []
    const price = defineFunction({
      description: 'The price of some nights.',
      parameters: z.object({ nights: z.int() }),
      async execute(conversation) {
        executed.push(conversation.conversationId)
        conversation.setVariable('price', 90)
        conversation.setIntegrationAttribute('guest', 'G-1')
        return executed.length
      },
    })
    const bench = await createBench({
      functions: { price },
      script: {
        greeting: 'Hi.',
        async otherwise(turn) {
          if (textOf(turn) === 'after')
            return `I said ${String(turn.variables.price)} to ${String(turn.integrationAttributes.guest)}.`
          if (textOf(turn) === 'pay') await turn.expectExternalEvent()
          const { result } = await turn.callFunction('price', { nights: 2 })
          return `It is ${String(result)}.`
        },
      },
    })
    const { deploymentId } = await recorded(bench, ['how much', 'after', 'pay'])
    expect(executed).toHaveLength(2)
    const { report } = await replayed(bench.platform, { deploymentId })
    expect(report.verdicts).toMatchObject({ same: 4 })
    expect(executed).toHaveLength(2)
  })

  test.each(REPLAY_MODES)(
    'TE70 with %s nothing is written but the replay, its results and its conversations',
    async mode => {
      const documents = createMemoryDocuments()
      const written = new Set<string>()
      const put = new Map<string, unknown[]>()
      const watched: typeof documents = {
        ...documents,
        write(batch) {
          const { put: added = [], remove = [], clear = [] } = batch
          for (const { kind } of [...added, ...remove, ...clear]) written.add(kind.name)
          for (const { kind, value } of added) put.set(kind.name, [...(put.get(kind.name) ?? []), value])
          return documents.write(batch)
        },
      }
      let next = 0
      const numbers = { nextSequence: () => ++next, random: () => 0.5 }
      const waits = async (turn: { expectExternalEvent: () => Promise<string> }) => [
        { type: 'variable', key: 'event', value: await turn.expectExternalEvent() } as const,
        'Later.',
      ]
      const bench = await createBench(
        { script: { greeting: 'Hi.', otherwise: waits } },
        storeOver(watched, numbers, async () => {}),
      )
      const { deploymentId } = await recorded(bench, ['a', 'b'], ['c'])
      written.clear()
      const { report } = await replayed(bench.platform, { deploymentId, mode })
      expect(report).toMatchObject({ conversations: 2, verdicts: { same: 5 } })
      expect([...written].sort()).toEqual(['replay_sample', 'test_result', 'test_run'])
      const samples = put.get('replay_sample') ?? []
      expect(samples).toMatchObject([{ conversations: [expect.any(String), expect.any(String)] }])
      const { conversations } = samples[0] as ReplaySample
      for (const id of conversations) expect(JSON.stringify(put.get('test_run'))).not.toContain(id)
    },
  )

  test('TE68 what was not recorded is counted as not replayable, and so is what follows it', async () => {
    const bench = await createBench({ turnRecording: 'outcome' })
    const { deploymentId } = await recorded(bench, ['a', 'b'])
    const full = bench.open({ turnRecording: 'full' })
    await talk(full.platform, 'c')
    const { report, turns } = await replayed(full.platform, { deploymentId })
    expect(report.verdicts).toMatchObject({ not_replayable: 3, same: 2 })
    expect(new Set(turns.map(({ reason }) => reason))).toEqual(new Set(['no_recording', 'same']))
    const course = await replayed(full.platform, { deploymentId, mode: 'live_history' })
    expect(course.report.verdicts).toMatchObject({ not_replayable: 0, same: 5 })
  })

  test('TE45 a turn that waits for an external event, and the one that answers it, are asked alone as they were', async () => {
    const expected: string[] = []
    const pay = defineFunction({
      description: 'Asks for the money.',
      parameters: z.object({}),
      async execute(conversation) {
        expected.push(await conversation.expectExternalEvent({ delayResponse: true }))
      },
    })
    const heard = ({ input }: RuntimeTurn): string =>
      input.type === 'external_event' ? new TextDecoder().decode(input.body) : ''
    const script: Script = {
      greeting: 'Hi.',
      messages: { pay: async turn => ((await turn.callFunction('pay', {})).concluded ? [] : ['Paid.']) },
      externalEvent: turn => `Got: ${heard(turn)} after ${String(turn.variables.said)}.`,
      otherwise: [{ type: 'variable', key: 'said', value: 'a word' }, 'Yes.'],
    }
    const bench = await createBench({ script, functions: { pay } })
    const { platform } = bench
    const { id: deploymentId } = await platform.agents.publish(AGENT, { environment: 'live' })
    const agent = await platform.agents.find(AGENT)
    const accountId = agent?.accountId ?? ''
    const { connector } = await platform.access.createConnector({
      ...{ accountId, agentId: AGENT, environment: 'live', hosts: [] },
    })
    const { conversationId } = await platform.chat.create(connector, {})
    await platform.chat.respond(connector, { conversationId, message: 'Hello' })
    const paying = platform.chat.respond(connector, { conversationId, message: 'pay' })
    await bench.clock.settle()
    const [eventId = ''] = expected
    await platform.externalEvents.receive({
      ...{ accountId, agentId: AGENT, location: 'headers', path: 'x-event', query: '' },
      headers: { 'x-event': eventId },
      contentType: 'text/plain',
      body: new TextEncoder().encode('90 euros'),
    })
    await bench.clock.settle()
    await bench.clock.advance(60_000)
    await paying
    await platform.chat.respond(connector, { conversationId, message: 'Thanks' })
    await platform.chat.close(connector, conversationId)
    const { report } = await replayed(platform, { deploymentId })
    expect([report.verdicts.same, report.groups]).toEqual([5, []])
    expect(expected).toHaveLength(1)
    const other: Script = { ...script, externalEvent: 'Thank you.', messages: { pay: 'Later.' } }
    const changed = await replayed(bench.open({ script: other, functions: { pay } }).platform, {
      deploymentId,
    })
    expect(changed.turns.map(({ reason, recorded: then }) => [reason, then?.reply])).toEqual([
      ['function_lost', ''],
      ['text', 'Got: 90 euros after a word.'],
      ...['Hi.', 'Yes.', 'Yes.'].map(reply => ['same', reply]),
    ])
    const course = await replayed(platform, { deploymentId, mode: 'live_history' })
    expect([course.report.verdicts.same, course.report.groups]).toEqual([5, []])
    expect(expected).toHaveLength(1)
    const offScript = await replayed(bench.open({ script: other, functions: { pay } }).platform, {
      ...{ deploymentId, mode: 'live_history' },
    })
    expect(offScript.turns.map(({ verdict, reason }) => [verdict, reason])).toEqual([
      ['worse', 'function_lost'],
      ['off_script', 'external_event'],
      ['off_script', 'external_event'],
      ['same', 'same'],
      ['same', 'same'],
    ])
  })

  test('TE68 recording a turn takes no further write, and less than 1.5 kB at the median', async () => {
    const room = defineFunction({
      description: 'A room.',
      parameters: z.object({ from: z.string(), nights: z.int() }),
      execute(conversation, { from, nights }) {
        conversation.setVariable('stay', { from, nights, guests: [{ name: 'Ann' }, { name: 'Ben' }] })
        conversation.say(`A room for ${nights} nights from ${from}, with a view of the sea and breakfast.`)
        return { rooms: Array.from({ length: 5 }, (_, at) => ({ number: 100 + at, price: 90, view: 'sea' })) }
      },
    })
    const script: Script = {
      greeting: 'Hi.',
      async otherwise(turn) {
        await turn.callFunction('room', { from: '2026-05-01', nights: textOf(turn).length })
        return 'Shall I book it for you?'
      },
    }
    const had = async (turnRecording: 'full' | 'outcome') => {
      const store = createMemoryStore()
      let writes = 0
      const { append } = store.conversations
      const counting: typeof append = (...input) => {
        writes++
        return append(...input)
      }
      const conversations = { ...store.conversations, append: counting }
      const bench = await createBench(
        { script, functions: { room }, turnRecording },
        { ...store, conversations },
      )
      const { ids } = await recorded(bench, ['a room', 'for two', 'with a view', 'of the sea'])
      const { turns } = await store.conversations.turnPage(ids[0] ?? '', 0, 1_000_000)
      return { writes, sizes: turns.map(({ details }) => JSON.stringify(details.value).length) }
    }
    const [full, outcome] = [await had('full'), await had('outcome')]
    expect(full.writes).toBe(outcome.writes)
    expect(full.writes).toBeGreaterThan(5)
    const more = full.sizes.map((size, at) => size - (outcome.sizes[at] ?? 0)).sort((a, b) => a - b)
    expect(more).toHaveLength(5)
    expect(more[0]).toBeGreaterThan(0)
    expect(more[2]).toBeLessThan(1_500)
  })

  test('TE94 recordings go before their conversations, from any process, and their turns count as not replayable', async () => {
    const HOUR = 3_600_000
    const [turnRecordingRetention, script] = [
      2 * HOUR,
      {
        greeting: 'Hi.',
        otherwise: async (turn: RuntimeTurn) =>
          textOf(turn) === 'call' ? String((await turn.callFunction('now', {})).result) : 'Yes.',
      },
    ]
    const now = defineFunction({ description: 'Now.', parameters: z.object({}), execute: () => 'Noon.' })
    const all = { turnRecordingRetention, script, functions: { now } }
    const bench = await createBench(all)
    const other = bench.open(all)
    const { deploymentId, ids } = await recorded(bench, ['a', 'call'])
    const { accountId = '' } = (await bench.platform.agents.find(AGENT)) ?? {}
    const record = () => bench.platform.reading.record(accountId, AGENT, ids[0] ?? '')
    const before = await record()
    expect(before?.turns?.value).toHaveLength(3)
    await bench.clock.advance(1.5 * HOUR)
    await talk(bench.platform, 'b')
    const young = await replayed(bench.platform, { deploymentId })
    expect(young.report.verdicts).toMatchObject({ not_replayable: 0, same: 5 })
    await bench.clock.advance(1.7 * HOUR)
    const old = await replayed(other.platform, { deploymentId })
    expect(old.report.verdicts).toMatchObject({ not_replayable: 3, same: 2 })
    expect(new Set(old.turns.map(({ reason }) => reason))).toEqual(new Set(['no_recording', 'same']))
    const course = await replayed(other.platform, { deploymentId, mode: 'live_history' })
    expect(course.report.verdicts).toMatchObject({ not_replayable: 1, same: 4 })
    expect(await record()).toEqual(before)
    expect(bench.errors).toEqual([])
  })

  test('TE94 without it recordings are kept as long as their conversations', async () => {
    const bench = await createBench()
    const { deploymentId } = await recorded(bench, ['a'])
    await bench.clock.advance(2 * 3_600_000)
    const { report } = await replayed(bench.platform, { deploymentId })
    expect(report.verdicts).toMatchObject({ same: 2 })
  })

  test('TE97 each turn reads the real-time config that it read then, unless that was large', async () => {
    const otherwise: Script['otherwise'] = turn => {
      const { price } = turn.realTimeConfig
      // What a runtime does to its own copy is not recorded.
      Object.assign(turn.realTimeConfig, { price: 0 })
      return `It is ${String(price)}.`
    }
    const bench = await createBench({ script: { greeting: 'Hi.', otherwise } })
    const { agents } = bench.platform
    const write = (values: JsonObject) => agents.updateRealTimeConfigVariables(AGENT, 'live', values)
    const { deploymentId } = await recorded(bench, ['none'])
    await write({ price: 90 })
    await talk(bench.platform, 'small')
    await write({ price: 'x'.repeat(2_000) })
    await talk(bench.platform, 'large')
    await write({ price: 120 })
    const { report, turns } = await replayed(bench.platform, { deploymentId })
    expect(report.verdicts).toMatchObject({ reworded: 1, same: 5 })
    expect(turns[0]).toMatchObject({ recorded: { userInput: 'large' }, reply: 'It is 120.' })
    const course = await replayed(bench.platform, { deploymentId, mode: 'live_history' })
    expect(course.report.verdicts).toMatchObject({ reworded: 3, same: 3 })
  })

  test('TE95 an environment may record less than the others', async () => {
    const bench = await createBench({ turnRecording: { live: 'outcome' } })
    expect(bench.platform.settings.turnRecording).toEqual({
      ...{ sandbox: 'full', 'pre-release': 'full', live: 'outcome' },
    })
    const { deploymentId } = await recorded(bench, ['a'])
    const { report } = await replayed(bench.platform, { deploymentId })
    expect(report.verdicts).toMatchObject({ not_replayable: 2, same: 0 })
    const other = bench.open({ turnRecording: { sandbox: 'outcome' } })
    await talk(other.platform, 'b')
    const { report: full } = await replayed(other.platform, { deploymentId, last: 1 })
    expect(full.verdicts).toMatchObject({ same: 2 })
  })

  test('TE68 attributes that came with a later message are recorded with its turn, and known from it on', async () => {
    const seen: unknown[] = []
    const otherwise: Script['otherwise'] = turn => {
      seen.push([turn.kind, textOf(turn), turn.integrationAttributes])
      return 'Yes.'
    }
    const bench = await createBench({ script: { greeting: 'Hi.', otherwise } })
    const { deploymentId } = await recorded(bench)
    const { accountId = '' } = (await bench.platform.agents.find(AGENT)) ?? {}
    const { connector } = await bench.platform.access.createConnector({
      ...{ accountId, agentId: AGENT, environment: 'live', hosts: [] },
    })
    const { chat } = bench.platform
    const { conversationId } = await chat.create(connector, { integrationAttributes: { a: 1 } })
    await chat.respond(connector, { conversationId, message: 'a' })
    await chat.respond(connector, { conversationId, message: 'b', integrationAttributes: { a: 2, b: 1 } })
    await chat.respond(connector, { conversationId, message: 'c' })
    await chat.close(connector, conversationId)
    const { report } = await replayed(bench.platform, { deploymentId })
    expect(report.verdicts).toMatchObject({ not_replayable: 0, same: 4 })
    // Each is asked twice, to measure the noise.
    const again = seen.map(one => JSON.stringify(one)).filter(one => one.includes('test'))
    expect([...new Set(again)]).toEqual([
      '["test","a",{"a":1}]',
      '["test","b",{"a":2,"b":1}]',
      '["test","c",{"a":2,"b":1}]',
    ])
  })

  test('TE70 an agent that differs from itself is told apart from a change', async () => {
    let asked = 0
    const bench = await createBench({ script: { greeting: 'Hi.', otherwise: () => `Answer ${asked++}.` } })
    const { deploymentId } = await recorded(bench, ['a', 'b'], ...Array(10).fill(['c']))
    const { report } = await replayed(bench.platform, { deploymentId })
    // Of eleven conversations the newest and the oldest, which has two messages.
    expect(report.noise).toEqual({ turns: 5, different: 3 })
    expect(report.verdicts).toMatchObject({ same: 11, reworded: 12 })
  })

  test('TE70 a process that dies in the middle loses and repeats nothing', async () => {
    const slow = [{ type: 'wait', milliseconds: 3_000 } as const, 'Yes.']
    const script = {
      greeting: 'Hi.',
      otherwise: (turn: { kind: string }) => (turn.kind === 'test' ? slow : 'Yes.'),
    }
    const bench = await createBench({ testRuns: { casesAtOnce: 1 }, script })
    const { deploymentId } = await recorded(bench, ['a'], ['b'], ['c'])
    const { id } = await bench.platform.agents.startReplay(AGENT, { deploymentId })
    await bench.clock.advance(10_000)
    expect(await bench.platform.agents.replay(AGENT, id)).toMatchObject({ status: 'running', replayed: 2 })
    bench.kill()
    const other = bench.open({ script })
    await bench.clock.advance(60_000)
    await other.platform.idle()
    expect(await other.platform.agents.replay(AGENT, id)).toMatchObject({
      ...{ status: 'finished', replayed: 3, verdicts: { same: 6 }, noise: { turns: 2, different: 0 } },
    })
    expect(other.runtime.turns.filter(({ input }) => input.type === 'message')).toHaveLength(1)
    const found = await contextOf(other.platform).store.agents.testRuns.find(AGENT, id)
    expect(found?.results).toHaveLength(3)
  })
})

test('replays of another content are not read, and of its own two at once: each may be large', async () => {
  const documents = createMemoryDocuments()
  const pages: (readonly TestRun[])[] = []
  const watched: typeof documents = {
    ...documents,
    async scan(kind, index, range) {
      const found = await documents.scan(kind, index, range)
      if (kind.name === TEST_RUN.name && index === 'agent') pages.push(found as never)
      return found
    },
  }
  let next = 0
  const numbers = { nextSequence: () => ++next, random: () => 0.5 }
  const store = storeOver(watched, numbers, async () => {})
  const bench = await createBench({}, store)
  const { platform } = bench
  const { deploymentId } = await recorded(bench, ['a'])
  const { id } = await replayed(platform, { deploymentId })
  const run = await store.agents.testRuns.run(AGENT, id)
  if (run === null) throw new Error('It is there.')
  for (let at = 0; at < 9; at++) {
    const version = at % 2 === 0 ? run.version : 'other'
    await store.agents.testRuns.create({ ...run, id: `REPLAY-${at}`, version }, [])
  }
  const read = async (act: () => Promise<unknown>) => {
    pages.length = 0
    await act()
    return pages.filter(page => page.length > 0)
  }
  const ofStart = await read(() => platform.agents.startReplay(AGENT, { deploymentId }))
  expect(ofStart.flat().map(({ version }) => version)).toEqual(Array.from({ length: 6 }, () => run.version))
  const ofList = await read(() => platform.agents.replays(AGENT, { limit: 5 }))
  expect(Math.max(...[...ofStart, ...ofList].map(page => page.length))).toBe(2)
  expect(ofList).toHaveLength(3)
  await platform.idle()
})
