import { describe, expect, it, onTestFinished } from 'vitest'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform } from '../../src/platform.ts'
import type { RecordPage } from '../../src/ports/store/records.ts'
import { createFakeClock, createScriptedRuntime } from '../../src/testing/index.ts'

const REFUSED = { code: 'SCHEMA_VALIDATION_FAILED' }
const FIRST = { offset: 0 } as const

/** A platform with one recorded conversation in which `input` was said. */
async function record(input: string) {
  const clock = createFakeClock()
  const runtime = createScriptedRuntime({}, clock)
  const platform = createPlatform({ store: createMemoryStore(), runtime, clock })
  onTestFinished(() => platform.close())
  const { id: accountId } = await platform.access.createAccount({ slug: 'hotel', name: 'Hotel' })
  const { id: agentId } = await platform.agents.create({ accountId, name: 'Desk', greeting: 'Hello' })
  const scope = { accountId, agentId, environment: 'live' } as const
  const conversationId = 'call'
  await platform.conversations.start({ ...scope, conversationId, channel: 'VOICE', startedAt: 1_000 })
  await platform.conversations.recordTurn({
    agentId,
    conversationId,
    turnId: '1',
    userInput: input,
    userInputAt: 1_000,
  })
  return { platform, scope }
}

async function sampled(slices: AsyncIterable<RecordPage>): Promise<RecordPage['records']> {
  const records: RecordPage['records'][number][] = []
  for await (const slice of slices) records.push(...slice.records)
  return records
}

describe('reading as a library call', () => {
  it('RC54 finds what a text of several words, in whatever spelling, says', async () => {
    const { platform, scope } = await record('Is a Late CHECK-OUT possible, café included?')
    const found = async (...words: string[]) => {
      const filter = { ...scope, words: { words, speaker: 'either' } } as const
      const { records } = await platform.reading.records(filter, FIRST, 10)
      expect(await sampled(platform.reading.sample(filter, 10))).toHaveLength(records.length)
      return records.length
    }
    expect(await found('late')).toBe(1)
    expect(await found('LATE', 'Check out')).toBe(1)
    expect(await found('CAFE')).toBe(1)
    expect(await found('late check-in')).toBe(0)
    for (const none of [[], [''], ['!', '…']]) await expect(found(...none)).rejects.toMatchObject(REFUSED)
  })

  it('RC54 refuses a time that is none, and does not find nothing', async () => {
    const { platform, scope } = await record('Hello')
    const { reading } = platform
    for (const none of [Number.NaN, 1.5, Number.POSITIVE_INFINITY, Date.parse('yesterday')]) {
      for (const range of [
        { startTime: none, endTime: 2_000 },
        { startTime: 0, endTime: none },
      ]) {
        await expect(reading.records({ ...scope, ...range }, FIRST, 10)).rejects.toMatchObject(REFUSED)
        await expect(sampled(reading.sample({ ...scope, ...range }, 10))).rejects.toMatchObject(REFUSED)
        await expect(reading.concurrency({ ...scope, ...range })).rejects.toMatchObject(REFUSED)
      }
    }
    const range = { startTime: 0, endTime: 2_000 }
    expect((await reading.records({ ...scope, ...range }, FIRST, 10)).records).toHaveLength(1)
    expect((await reading.concurrency({ ...scope, ...range })).series[0]?.peaks).toEqual(Uint32Array.of(1))
  })

  it('RC54 refuses a page that is none', async () => {
    const { platform, scope } = await record('Hello')
    const { reading } = platform
    for (const none of [Number.NaN, 1.5, -1, Number.POSITIVE_INFINITY]) {
      await expect(reading.records(scope, { offset: none }, 10)).rejects.toMatchObject(REFUSED)
      for (const limit of [none, 0]) {
        await expect(reading.records(scope, FIRST, limit)).rejects.toMatchObject(REFUSED)
        await expect(sampled(reading.sample(scope, limit))).rejects.toMatchObject(REFUSED)
        const slices = reading.slices(scope, FIRST, limit)[Symbol.asyncIterator]()
        await expect(slices.next()).rejects.toMatchObject(REFUSED)
      }
    }
  })
})
