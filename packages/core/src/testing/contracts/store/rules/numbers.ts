import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TelephonyConnector } from '../../../../domain/access/access.ts'
import type { PhoneNumber } from '../../../../domain/telephony/phone-number.ts'
import { AGENT, aPhoneNumber, aPooledNumber, aTelephonyConnector, START } from '../../../fixtures.ts'
import { openForTest, race, type StoreFactory } from '../tools.ts'

const [ONE, TWO, THREE] = ['+15550000001', '+15550000002', '+15550000003'] as const
const OTHER = 'PROJECT-TWO'
const textsOf = (numbers: readonly { readonly number: string }[]) => numbers.map(({ number }) => number)

/** Returns a reservation with the attributes of a caller. */
const forCaller = (caller: number | string, at: number, until = at + 600) => ({
  ...{ attributes: { caller }, at, until },
})

function describePhoneNumbers(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).access
  /** Returns a number, and the connector that answers it. */
  async function answered() {
    const access = await open()
    const connector = aTelephonyConnector('C-1')
    const number = aPhoneNumber(ONE, { connectorId: connector.id })
    await access.connectors.create(connector)
    await access.phoneNumbers.add([number, aPhoneNumber(TWO)], 9)
    return { access, connector, number, phoneNumbers: access.phoneNumbers }
  }

  it('SX4 numbers are found as they were added, by whoever asks, in the order of their code points', async () => {
    const { phoneNumbers } = await open()
    const numbers = [aPhoneNumber(TWO, { environment: 'sandbox' }), aPhoneNumber(ONE)]
    expect(await phoneNumbers.add(numbers, 2)).toEqual({ outcome: 'added' })
    expect(await phoneNumbers.find([TWO, THREE, ONE, TWO])).toEqual(numbers.toReversed())
    for (const none of [[''], ['15550000001'], ['+1555000000_'], []])
      expect(await phoneNumbers.find(none)).toEqual([])
  })

  it('SX4 of numbers that are added together, one that exists keeps out all', async () => {
    const { numberPool, phoneNumbers } = await open()
    await phoneNumbers.add([aPhoneNumber(TWO, { agentId: OTHER, accountId: 'ws-two' })], 9)
    await numberPool.add([aPooledNumber(TWO, { agentId: OTHER, accountId: 'ws-two' })], 9)
    const taken = { outcome: 'taken', numbers: [TWO] }
    expect(await phoneNumbers.add([aPhoneNumber(ONE), aPhoneNumber(TWO)], 9)).toEqual(taken)
    expect(await numberPool.add([aPooledNumber(ONE), aPooledNumber(TWO)], 9)).toEqual(taken)
    expect(await phoneNumbers.add([aPhoneNumber(ONE), aPhoneNumber(THREE)], 1)).toEqual({ outcome: 'full' })
    expect(await numberPool.add([aPooledNumber(ONE), aPooledNumber(THREE)], 1)).toEqual({ outcome: 'full' })
    expect(textsOf(await phoneNumbers.find([ONE, TWO, THREE]))).toEqual([TWO])
    expect(await numberPool.list(AGENT, {}, 9)).toEqual([])
  })

  it('SX4 the numbers of an agent come in their order, in pages behind one, and by their connector', async () => {
    const { access, number, phoneNumbers } = await answered()
    await phoneNumbers.add([aPhoneNumber(THREE)], 9)
    await phoneNumbers.add([aPhoneNumber('+1555', { agentId: OTHER })], 9)
    await access.numberPool.add([aPooledNumber(THREE), aPooledNumber(ONE), aPooledNumber(TWO)], 9)
    await access.numberPool.add([aPooledNumber('+1555', { agentId: OTHER })], 9)
    for (const group of [phoneNumbers, access.numberPool]) {
      expect(textsOf(await group.list(AGENT, {}, 9))).toEqual([ONE, TWO, THREE])
      expect(textsOf(await group.list(AGENT, {}, 2))).toEqual([ONE, TWO])
      expect(textsOf(await group.list(AGENT, { after: TWO }, 2))).toEqual([THREE])
      expect(textsOf(await group.list(OTHER, {}, 9))).toEqual(['+1555'])
    }
    expect(await access.numberPool.find(TWO)).toEqual(aPooledNumber(TWO))
    for (const none of ['', '15550000001', '+1555000000_'])
      expect(await access.numberPool.find(none)).toBeNull()
    expect(await phoneNumbers.list(AGENT, { connectorId: 'C-1' }, 9)).toEqual([number])
    expect(await phoneNumbers.list(AGENT, { connectorId: 'C-1', after: ONE }, 9)).toEqual([])
    expect(await phoneNumbers.list(OTHER, { connectorId: 'C-1' }, 9)).toEqual([])
  })

  it('TP11 an update of a number that is another by now writes nothing', async () => {
    const { number, phoneNumbers } = await answered()
    const free = { ...number, connectorId: null }
    const others: readonly Partial<PhoneNumber>[] = [
      ...[{ accountId: 'ws-two' }, { agentId: OTHER }, { environment: 'sandbox' } as const],
      ...[{ connectorId: null }, { connectorId: 'C-2' }, { number: THREE }],
    ]
    for (const other of others) expect(await phoneNumbers.update({ ...number, ...other }, free)).toBe('stale')
    expect(await phoneNumbers.find([ONE])).toEqual([number])
    expect(await phoneNumbers.update(number, free)).toBe('written')
    expect(await phoneNumbers.find([ONE])).toEqual([free])
  })

  it('TP11 only a telephony connector of the agent and environment, in force, gets a number', async () => {
    const { access, phoneNumbers } = await answered()
    await access.connectors.create(aTelephonyConnector('foreign', { agentId: OTHER }))
    await access.connectors.create(aTelephonyConnector('early', { environment: 'sandbox' }))
    await access.connectors.create(aTelephonyConnector('gone'))
    await access.connectors.revokeTelephony('gone', START)
    for (const connectorId of ['foreign', 'early', 'gone', 'none'])
      expect(await phoneNumbers.update(aPhoneNumber(TWO), aPhoneNumber(TWO, { connectorId }))).toBe('stale')
    expect(await phoneNumbers.find([TWO])).toEqual([aPhoneNumber(TWO)])
    const next = aPhoneNumber(TWO, { connectorId: 'early', environment: 'sandbox' })
    expect(await phoneNumbers.update(aPhoneNumber(TWO), next)).toBe('written')
    expect(await phoneNumbers.find([TWO])).toEqual([next])
  })

  it('TP11 a number is removed by its agent alone, and is free for others then', async () => {
    const { access, phoneNumbers } = await answered()
    await access.numberPool.add([aPooledNumber(ONE)], 9)
    await access.numberPool.reserve(AGENT, forCaller(1, START))
    for (const group of [phoneNumbers, access.numberPool]) {
      expect([await group.remove(OTHER, ONE), await group.remove(AGENT, THREE)]).toEqual([false, false])
      expect(await group.remove(AGENT, ONE)).toBe(true)
      expect(textsOf(await group.list(AGENT, {}, 9))).not.toContain(ONE)
    }
    expect(await phoneNumbers.add([aPhoneNumber(ONE, { agentId: OTHER })], 9)).toEqual({ outcome: 'added' })
    expect(await access.numberPool.add([aPooledNumber(ONE, { agentId: OTHER })], 9)).toEqual({
      outcome: 'added',
    })
  })

  it('TP11 a connector that moves takes its numbers along, and no others', async () => {
    const { access, connector, number, phoneNumbers } = await answered()
    const moved: TelephonyConnector = { ...connector, agentId: OTHER, environment: 'sandbox' }
    expect(await access.connectors.update({ ...connector, name: 'other' }, moved)).toBe('stale')
    expect(await phoneNumbers.find([ONE])).toEqual([number])
    expect(await access.connectors.update(connector, moved)).toBe('written')
    const there = { ...number, agentId: OTHER, environment: 'sandbox' }
    expect(await phoneNumbers.find([ONE, TWO])).toEqual([there, aPhoneNumber(TWO)])
  })

  it('TP11 a telephony connector is revoked once, with its numbers', async () => {
    const { access, connector, phoneNumbers } = await answered()
    await phoneNumbers.add([aPhoneNumber('+1555', { connectorId: 'C-1' })], 9)
    const results = await race(racer => access.connectors.revokeTelephony('C-1', START + racer))
    expect(results.filter(result => result !== null)).toEqual([['+1555', ONE]])
    const revokedAt = START + results.findIndex(result => result !== null)
    expect(await access.connectors.findTelephony('C-1')).toEqual({ ...connector, revokedAt })
    expect(textsOf(await phoneNumbers.list(AGENT, {}, 9))).toEqual([TWO])
    expect(await access.connectors.revokeTelephony('C-2', START)).toBeNull()
  })

  it('TP11 a number that gets a connector while that moves or goes is where the connector is, or has none', async () => {
    for (let round = 0; round < 5; round++) {
      const { access, connector, phoneNumbers } = await answered()
      const given = aPhoneNumber(TWO, { connectorId: 'C-1' })
      const [written] = await Promise.all([
        phoneNumbers.update(aPhoneNumber(TWO), given),
        access.connectors.update(connector, { ...connector, agentId: OTHER }),
      ])
      const expected = written === 'written' ? { ...given, agentId: OTHER } : aPhoneNumber(TWO)
      expect(await phoneNumbers.find([TWO])).toEqual([expected])
      await access.connectors.create(aTelephonyConnector('C-2', { agentId: expected.agentId }))
      const [again, gone] = await Promise.all([
        phoneNumbers.update(expected, { ...expected, connectorId: 'C-2' }),
        access.connectors.revokeTelephony('C-2', START),
      ])
      expect(gone).toEqual(again === 'written' ? [TWO] : [])
      expect(await phoneNumbers.find([TWO])).toEqual(again === 'written' ? [] : [expected])
    }
  })
}

function describeNumberPool(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).access.numberPool

  it('TP21 a reservation is kept with its number, which is free again at its end, the exact moment included', async () => {
    const pool = await open()
    await pool.add([aPooledNumber(ONE)], 9)
    expect(await pool.reserve(AGENT, forCaller('early', START - 1))).toBeNull()
    const first = aPooledNumber(ONE, { attributes: { caller: 1 }, freeFrom: START + 600 })
    expect(await pool.reserve(AGENT, forCaller(1, START))).toEqual(first)
    expect(await pool.reserve(AGENT, forCaller(2, START + 599))).toBeNull()
    expect(await pool.find(ONE)).toEqual(first)
    const second = aPooledNumber(ONE, { attributes: { caller: 2 }, freeFrom: START + 1_200 })
    expect(await pool.reserve(AGENT, forCaller(2, START + 600))).toEqual(second)
    expect(await pool.reserve(OTHER, forCaller(5, START + 9_000))).toBeNull()
  })

  it('TP21 a reservation forgets what the free numbers of its agent were reserved for, and no others', async () => {
    const pool = await open()
    const freeFrom = START + 1
    await pool.add([aPooledNumber(ONE, { freeFrom: START + 3 })], 9)
    await pool.add([aPooledNumber(TWO, { freeFrom }), aPooledNumber(THREE, { freeFrom })], 9)
    await pool.add([aPooledNumber('+1555', { agentId: OTHER })], 9)
    await pool.reserve(OTHER, forCaller('other', START, START + 1))
    await pool.reserve(AGENT, forCaller('gone', START + 9, START + 10))
    await pool.reserve(AGENT, forCaller('here', START + 9, START + 99))
    expect((await pool.reserve(AGENT, forCaller('next', START + 10)))?.number).toBe(ONE)
    const known = await pool.list(AGENT, {}, 9)
    expect(known.map(({ attributes }) => attributes?.caller)).toEqual(['next', undefined, 'here'])
    expect((await pool.find('+1555'))?.attributes).toEqual({ caller: 'other' })
  })

  it('TP21 in any history the number that is free the longest goes to one caller, and none waits while one is free', async () => {
    const step = fc.record({
      type: fc.constantFrom('reserve' as const, 'reserve' as const, 'pass' as const, 'remove' as const),
      count: fc.integer({ min: 1, max: 4 }),
    })
    const pool = await open()
    let histories = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async steps => {
        const agentId = `P-${histories++}`
        const free = new Map([3, 1, 2].map(nth => [`+${agentId} ${nth}`, nth % 2]))
        await pool.add(
          [...free].map(([number, freeFrom]) => aPooledNumber(number, { agentId, freeFrom })),
          9,
        )
        let now = 0
        for (const { type, count: times } of steps) {
          if (type === 'pass') now += times * 4
          if (type === 'remove' && free.size > 1) {
            const [first = ''] = free.keys()
            free.delete(first)
            expect(await pool.remove(agentId, first)).toBe(true)
          }
          if (type !== 'reserve') continue
          const [at, until] = [now, now + 10]
          const results = await Promise.all(
            Array.from({ length: times }, (_, racer) => pool.reserve(agentId, forCaller(racer, at, until))),
          )
          const expected = [...free.keys()]
            .filter(number => (free.get(number) ?? 0) <= at)
            .sort((one, other) => (free.get(one) ?? 0) - (free.get(other) ?? 0) || (one < other ? -1 : 1))
            .slice(0, times)
          const given = results.filter(result => result !== null)
          expect(textsOf(given).toSorted()).toEqual(expected.toSorted())
          for (const one of given) expect(await pool.find(one.number)).toEqual(one)
          const callers = results.flatMap((result, racer) => (result === null ? [] : [racer]))
          expect(given.map(({ attributes }) => attributes)).toEqual(callers.map(caller => ({ caller })))
          for (const number of expected) free.set(number, until)
        }
      }),
      { numRuns: 20 },
    )
  })
}

/**
 * Tests of phone numbers, and of pools of numbers of which each has one caller at a time (SX4, SX62, TP11 and TP21).
 */
export function describeNumbers(factory: StoreFactory): void {
  describe('phone numbers', () => describePhoneNumbers(factory))
  describe('pools of numbers', () => describeNumberPool(factory))
}
