import { expect, it } from 'vitest'
import { aConversation, anAppend, anEvent } from '../../../conversation-fixtures.ts'
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

  it('SC161 a conversation begins with its pair of numbers, if nobody has changed that, and not without it', async () => {
    const { textPairs, ...conversations } = await open()
    const pair = aTextPair()
    const begin = (id: string, version: number) =>
      conversations.create({ ...aConversation(id), textPair: { ...pair, conversationId: id, version } })
    const found = async () => (await textPairs.find(pair.ours, pair.theirs))?.conversationId ?? null
    expect([await begin('AS-1', 2), await found()]).toEqual(['forestalled', null])
    expect(await Promise.all([begin('AS-1', 1), begin('AS-2', 1)])).toEqual(
      expect.arrayContaining(['created', 'forestalled']),
    )
    const [one, other] = [await conversations.version('AS-1'), await conversations.version('AS-2')]
    expect([await found(), one === null ? other : one]).toEqual([one === null ? 'AS-2' : 'AS-1', 1])
    expect([one, other]).toContain(null)
    expect(await begin(one === null ? 'AS-2' : 'AS-1', 2)).toBe('taken')
    expect([await begin('AS-3', 2), await found()]).toEqual(['created', 'AS-3'])
  })

  it('SC161 a conversation goes on with its pair of numbers, if nobody has changed either, and not without it', async () => {
    const { textPairs, ...conversations } = await open()
    const pair = aTextPair()
    const begun = aConversation('AS-1')
    await conversations.create({ ...begun, textPair: pair })
    const append = async (at: number, version: number, clientEventId: string) => {
      const write = anAppend(begun, at, { events: [anEvent({ clientEventId })] })
      return (await conversations.append({ ...write, textPair: { ...pair, version } })).status
    }
    const versions = async () => [
      (await textPairs.find(pair.ours, pair.theirs))?.version,
      await conversations.version('AS-1'),
    ]
    expect([await append(1, 2, 'a'), ...(await versions())]).toEqual(['appended', 2, 2])
    expect([await append(2, 2, 'b'), ...(await versions())]).toEqual(['forestalled', 2, 2])
    expect([await append(1, 3, 'b'), ...(await versions())]).toEqual(['stale', 2, 2])
    expect([await append(2, 2, 'a'), ...(await versions())]).toEqual(['duplicate', 2, 2])
    const racers = await Promise.all(['b', 'c', 'd'].map(id => append(2, 3, id)))
    expect(racers.filter(status => status === 'appended')).toHaveLength(1)
    expect(await versions()).toEqual([3, 3])
    // A pair that somebody else writes meanwhile keeps the text out, and the next try brings it in.
    expect(await textPairs.save({ ...pair, optedOut: true, version: 4 }, 3)).toBe('saved')
    expect([await append(3, 4, 'e'), ...(await versions())]).toEqual(['forestalled', 4, 3])
    expect([await append(3, 5, 'e'), ...(await versions())]).toEqual(['appended', 5, 4])
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

  it('SC170 a key that is given has its newest conversation, from then on until its time is over', async () => {
    const { messageKeys, ...conversations } = await open()
    for (const id of ['AS-1', 'AS-2']) await conversations.create(aConversation(id))
    const give = (id: string, after = 0) => messageKeys.give(taking('k', id, START + after))
    expect(await messageKeys.holder('k', 0)).toBeNull()
    expect([await give('AS-3'), await messageKeys.holder('k', 0)]).toEqual([false, null])
    const holders: (string | null)[] = []
    for (const [id, after] of [
      ['AS-1', 0],
      ['AS-2', 1],
      ['AS-2', 2],
    ] as const) {
      expect(await give(id, after)).toBe(true)
      holders.push(await messageKeys.holder('k', START))
    }
    // A key of the very first moment is free then.
    expect(holders).toEqual([null, 'AS-2', 'AS-2'])
    expect(await messageKeys.take(taking('k', 'AS-1', START + 3))).toBe('held')
    expect([await messageKeys.holder('k', START + 1), await messageKeys.holder('k', START + 2)]).toEqual([
      'AS-2',
      null,
    ])
    expect(await messageKeys.holder('K', 0)).toBeNull()
    // Those who give it at once are both told that they did.
    expect(await Promise.all([give('AS-1', 4), give('AS-2', 4)])).toEqual([true, true])
    expect(['AS-1', 'AS-2']).toContain(await messageKeys.holder('k', START))
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
