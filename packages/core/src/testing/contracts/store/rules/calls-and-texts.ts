import { expect, it } from 'vitest'
import { aConversation } from '../../../conversation-fixtures.ts'
import { anOutboundCall, aTextPair, START } from '../../../fixtures.ts'
import { openForTest, type StoreFactory } from '../tools.ts'

const DAY = 86_400_000
/** Returns the input that takes a key at a time. The key is free a day later. */
const taking = (key: string, conversationId: string, at: number = START) => ({
  ...{ key, conversationId, at, freeUntil: at - DAY },
})

/** Tests of pairs of numbers, keys of messages, and outbound calls (ST7 and SC170). */
export function describeCallsAndTexts(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).conversations

  it('ST7 a pair is found by its two numbers, and replaced by who knows its version, and by nobody else', async () => {
    const { textPairs } = await open()
    const pair = aTextPair()
    expect(await textPairs.find(pair.ours, pair.theirs)).toBeNull()
    expect(await textPairs.save({ ...pair, version: 2 }, 1)).toBe('stale')
    expect(await textPairs.save(pair, 0)).toBe('saved')
    for (const [version, expected] of [
      [1, 0],
      [3, 2],
    ] as const)
      expect(await textPairs.save({ ...pair, optedOut: true, version }, expected)).toBe('stale')
    const next = { ...pair, agentId: 'PROJECT-two', optedOut: true, version: 2 }
    expect(await textPairs.save(next, 1)).toBe('saved')
    expect(await textPairs.find(pair.ours, pair.theirs)).toEqual(next)
    expect(await textPairs.find(pair.theirs, pair.ours)).toBeNull()
  })

  it('SC170 a key is taken by one conversation, and again by that one alone', async () => {
    const { messageKeys, ...conversations } = await open()
    for (const id of ['AS-1', 'AS-2']) await conversations.create(aConversation(id))
    const steps = [
      ['k', 'AS-1', 'taken'],
      ['k', 'AS-1', 'taken'],
      ['k', 'AS-2', 'held'],
      ['K', 'AS-2', 'taken'],
      ['k', 'AS-3', 'missing'],
      ['other', 'AS-3', 'missing'],
    ] as const
    for (const [key, id, expected] of steps) expect(await messageKeys.take(taking(key, id))).toBe(expected)
  })

  it('SC170 a key is free once its time is over, counted from when it was first taken', async () => {
    const { messageKeys, ...conversations } = await open()
    for (const id of ['AS-1', 'AS-2']) await conversations.create(aConversation(id))
    const take = (key: string, id: string, after = 0) => messageKeys.take(taking(key, id, START + after))
    await take('k', 'AS-1')
    await take('k', 'AS-1', DAY - 1)
    expect([await take('k', 'AS-2', DAY - 1), await take('k', 'AS-2', DAY)]).toEqual(['held', 'taken'])
    expect(await take('k', 'AS-1', DAY)).toBe('held')
    // Many that are free go at some time, and no other does.
    for (let index = 0; index < 50; index++) await take(`many-${index}`, 'AS-1')
    await take('next', 'AS-1', DAY + 1)
    const late = [
      await take('many-49', 'AS-2', DAY + 1),
      await take('k', 'AS-1', DAY + 1),
      await take('next', 'AS-2', DAY + 1),
    ]
    expect(late).toEqual(['taken', 'held', 'held'])
  })

  it('ST7 a call is found by its id, and replaced and removed by who knows its version', async () => {
    const { outboundCalls: calls } = await open()
    const call = anOutboundCall('OUT-1', { metadata: { order: '12' }, variantId: 'VARIANT-1' })
    expect(await calls.find('OUT-1')).toBeNull()
    expect(await calls.save({ ...call, version: 2 }, 1)).toBe('stale')
    expect([await calls.save(call, 0), await calls.save(call, 0)]).toEqual(['saved', 'stale'])
    const next = anOutboundCall('OUT-1', { phase: 'failed', reason: 'Busy.', endedAt: START, version: 2 })
    expect([await calls.save({ ...next, version: 3 }, 2), await calls.save(next, 1)]).toEqual([
      'stale',
      'saved',
    ])
    expect([await calls.remove('OUT-1', 1), await calls.remove('OUT-2', 1)]).toEqual([false, false])
    expect(await calls.find('OUT-1')).toEqual(next)
    expect([await calls.remove('OUT-1', 2), await calls.find('OUT-1')]).toEqual([true, null])
    expect(await calls.save(call, 0)).toBe('saved')
  })

  it('calls that are due are listed, earliest first', async () => {
    const { outboundCalls: calls } = await open()
    const due = async (moment: number, limit = 9) =>
      (await calls.due(START + moment, limit)).map(({ id }) => id)
    expect(await calls.nextDue()).toBeNull()
    for (const [index, dueAt] of [30, 10, 40, 20].entries())
      await calls.save(anOutboundCall(`OUT-${index}`, { dueAt: START + dueAt }), 0)
    expect([await due(9), await due(30), await due(30, 2)]).toEqual([
      [],
      ['OUT-1', 'OUT-3', 'OUT-0'],
      ['OUT-1', 'OUT-3'],
    ])
    expect(await calls.nextDue()).toBe(START + 10)
    await calls.save(anOutboundCall('OUT-1', { dueAt: START + 50, version: 2 }), 1)
    expect([await calls.nextDue(), await due(20)]).toEqual([START + 20, ['OUT-3']])
  })
}
