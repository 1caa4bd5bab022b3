import { describe, expect, it } from 'vitest'
import type { TelephonyConnector } from '../../../domain/access/access.ts'
import type { PhoneNumber } from '../../../domain/telephony/phone-number.ts'
import { ACCOUNT, AGENT, anAgent, aPhoneNumber, aTelephonyConnector, START } from '../../fixtures.ts'
import {
  count,
  EXTREME_TIMES,
  frozen,
  HARD_STRINGS,
  openForTest,
  RACERS,
  race,
  reopenForTest,
  type StoreFactory,
  scribble,
  scribbling,
} from './tools.ts'

const [ONE, TWO, THREE] = ['+15550000001', '+15550000002', '+15550000003'] as const
const OTHER = 'PROJECT-TWO'
const textsOf = (numbers: readonly PhoneNumber[]) => numbers.map(({ number }) => number)

/** Rules SX60 to SX70: phone numbers, and what becomes of them with their connector and their agent. */
export function describePhoneNumbers(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).access
  /** A number, and the connector that answers it. */
  async function answered() {
    const access = await open()
    const connector = aTelephonyConnector('C-1')
    const number = aPhoneNumber(ONE, { connectorId: connector.id })
    await access.connectors.create(connector)
    await access.phoneNumbers.add([number, aPhoneNumber(TWO)], 9)
    return { access, connector, number, phoneNumbers: access.phoneNumbers }
  }

  describe('phone numbers', () => {
    it('SX60 numbers are found as they were added, by whoever asks, in the order of their code points', async () => {
      const { phoneNumbers } = await open()
      const numbers = [aPhoneNumber(TWO, { environment: 'sandbox' }), aPhoneNumber(ONE)]
      expect(await phoneNumbers.add(numbers, 2)).toEqual({ outcome: 'added' })
      expect(await phoneNumbers.find([TWO, THREE, ONE, TWO])).toEqual([...numbers].reverse())
      for (const none of ['', '15550000001', '+1555000000_'])
        expect(await phoneNumbers.find([none])).toEqual([])
      expect(await phoneNumbers.find([])).toEqual([])
    })

    it('SX61 of numbers that are added together, one that exists keeps out all', async () => {
      const { phoneNumbers } = await open()
      await phoneNumbers.add([aPhoneNumber(TWO, { agentId: OTHER, accountId: 'ws-two' })], 9)
      const added = await phoneNumbers.add([aPhoneNumber(ONE), aPhoneNumber(TWO)], 9)
      expect(added).toEqual({ outcome: 'taken', numbers: [TWO] })
      expect(textsOf(await phoneNumbers.find([ONE, TWO]))).toEqual([TWO])
      const results = await race(racer =>
        phoneNumbers.add([aPhoneNumber(THREE, { agentId: `PROJECT-${racer}` })], 9),
      )
      expect(
        count(
          results.map(({ outcome }) => outcome),
          'added',
        ),
      ).toBe(1)
      expect(
        count(
          results.map(({ outcome }) => outcome),
          'taken',
        ),
      ).toBe(RACERS - 1)
    })

    it('SX62 an agent has no more numbers than it may, whoever adds them at once', async () => {
      const { phoneNumbers } = await open()
      const full = { outcome: 'full' }
      expect(await phoneNumbers.add([aPhoneNumber(ONE), aPhoneNumber(TWO)], 1)).toEqual(full)
      expect(await phoneNumbers.list(AGENT, {}, 9)).toEqual([])
      const results = await race(racer => phoneNumbers.add([aPhoneNumber(`+1555000010${racer}`)], 3))
      expect(
        count(
          results.map(({ outcome }) => outcome),
          'added',
        ),
      ).toBe(3)
      expect(await phoneNumbers.list(AGENT, {}, 9)).toHaveLength(3)
      expect(await phoneNumbers.add([aPhoneNumber(ONE)], 3)).toEqual(full)
      expect(await phoneNumbers.add([aPhoneNumber(ONE, { agentId: OTHER })], 3)).toEqual({ outcome: 'added' })
    })

    it('SX63 the numbers of an agent come in their order, in pages behind one, and by their connector', async () => {
      const { number, phoneNumbers } = await answered()
      await phoneNumbers.add([aPhoneNumber(THREE)], 9)
      await phoneNumbers.add([aPhoneNumber('+1555', { agentId: OTHER })], 9)
      expect(textsOf(await phoneNumbers.list(AGENT, {}, 9))).toEqual([ONE, TWO, THREE])
      expect(textsOf(await phoneNumbers.list(AGENT, {}, 2))).toEqual([ONE, TWO])
      expect(textsOf(await phoneNumbers.list(AGENT, { after: TWO }, 2))).toEqual([THREE])
      expect(await phoneNumbers.list(AGENT, { connectorId: 'C-1' }, 9)).toEqual([number])
      expect(await phoneNumbers.list(AGENT, { connectorId: 'C-1', after: ONE }, 9)).toEqual([])
      expect(await phoneNumbers.list(OTHER, { connectorId: 'C-1' }, 9)).toEqual([])
    })

    it('SX64 an update of a number that is another by now writes nothing; of racers one wins', async () => {
      const { access, number, phoneNumbers } = await answered()
      const others: readonly Partial<PhoneNumber>[] = [
        ...[{ accountId: 'ws-two' }, { agentId: OTHER }, { environment: 'sandbox' } as const],
        ...[{ connectorId: null }, { connectorId: 'C-2' }, { number: THREE }],
      ]
      for (const other of others)
        expect(await phoneNumbers.update({ ...number, ...other }, { ...number, connectorId: null })).toBe(
          'stale',
        )
      expect(await phoneNumbers.find([ONE])).toEqual([number])
      for (const id of ['C-2', 'C-3']) await access.connectors.create(aTelephonyConnector(id))
      const results = await race(racer =>
        phoneNumbers.update(number, { ...number, connectorId: racer % 2 === 0 ? 'C-2' : 'C-3' }),
      )
      expect(count(results, 'written')).toBe(1)
      const connectorId = results.indexOf('written') % 2 === 0 ? 'C-2' : 'C-3'
      expect(await phoneNumbers.find([ONE])).toEqual([{ ...number, connectorId }])
      const free = { ...number, connectorId: null }
      expect(await phoneNumbers.update({ ...number, connectorId }, free)).toBe('written')
      expect(await phoneNumbers.find([ONE])).toEqual([free])
    })

    it('SX65 only a telephony connector of the agent and environment, in force, gets a number', async () => {
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

    it('SX66 a number is removed by its agent alone, and is free for others then', async () => {
      const { phoneNumbers } = await answered()
      expect(await phoneNumbers.remove(OTHER, ONE)).toBe(false)
      expect(await phoneNumbers.remove(AGENT, THREE)).toBe(false)
      expect(count(await race(() => phoneNumbers.remove(AGENT, ONE)), true)).toBe(1)
      expect(textsOf(await phoneNumbers.list(AGENT, {}, 9))).toEqual([TWO])
      expect(await phoneNumbers.add([aPhoneNumber(ONE, { agentId: OTHER })], 9)).toEqual({ outcome: 'added' })
    })

    it('SX67 a connector that moves takes its numbers along, and no others', async () => {
      const { access, connector, number, phoneNumbers } = await answered()
      const moved: TelephonyConnector = { ...connector, agentId: OTHER, environment: 'sandbox' }
      expect(await access.connectors.update({ ...connector, name: 'other' }, moved)).toBe('stale')
      expect(await phoneNumbers.find([ONE])).toEqual([number])
      expect(await access.connectors.update(connector, moved)).toBe('written')
      expect(await phoneNumbers.find([ONE, TWO])).toEqual([
        { ...number, agentId: OTHER, environment: 'sandbox' },
        aPhoneNumber(TWO),
      ])
    })

    it('SX68 a telephony connector is revoked once, with its numbers; a messaging one is not so', async () => {
      const { access, connector, phoneNumbers } = await answered()
      await phoneNumbers.add([aPhoneNumber('+1555', { connectorId: 'C-1' })], 9)
      expect(await access.connectors.revoke('C-1', START)).toBe(false)
      const results = await race(racer => access.connectors.revokeTelephony('C-1', START + racer))
      const first = results.findIndex(result => result !== null)
      expect(results.filter(result => result !== null)).toEqual([['+1555', ONE]])
      expect(await access.connectors.findTelephony('C-1')).toEqual({ ...connector, revokedAt: START + first })
      expect(textsOf(await phoneNumbers.list(AGENT, {}, 9))).toEqual([TWO])
      expect(await access.connectors.revokeTelephony('C-2', START)).toBeNull()
    })

    it('SX69 a number that gets a connector while that moves or goes is where the connector is, or has none', async () => {
      for (let round = 0; round < 5; round++) {
        const { access, connector, phoneNumbers } = await answered()
        const moved = { ...connector, agentId: OTHER }
        const given = aPhoneNumber(TWO, { connectorId: 'C-1' })
        const [written] = await Promise.all([
          phoneNumbers.update(aPhoneNumber(TWO), given),
          access.connectors.update(connector, moved),
        ])
        const expected = written === 'written' ? { ...given, agentId: OTHER } : aPhoneNumber(TWO)
        expect(await phoneNumbers.find([TWO])).toEqual([expected])
        await access.connectors.create(aTelephonyConnector('C-2', { agentId: expected.agentId }))
        const last = { ...expected, connectorId: 'C-2' }
        const [again, gone] = await Promise.all([
          phoneNumbers.update(expected, last),
          access.connectors.revokeTelephony('C-2', START),
        ])
        expect(gone).toEqual(again === 'written' ? [TWO] : [])
        expect(await phoneNumbers.find([TWO])).toEqual(again === 'written' ? [] : [expected])
      }
    })

    it('SX70 an agent that is deleted takes its numbers along, and no others', async () => {
      const store = await openForTest(factory)
      const { phoneNumbers } = store.access
      await store.agents.create(anAgent())
      await phoneNumbers.add([aPhoneNumber(ONE), aPhoneNumber(TWO)], 9)
      await phoneNumbers.add([aPhoneNumber(THREE, { agentId: OTHER })], 9)
      expect(await store.agents.delete(AGENT, START)).toBe(true)
      expect(textsOf(await phoneNumbers.find([ONE, TWO, THREE]))).toEqual([THREE])
    })

    it('SX71 every string and moment of a number is kept as it is, and values are copied', async () => {
      const { phoneNumbers } = await open()
      for (const [index, text] of HARD_STRINGS.entries()) {
        const number = aPhoneNumber(`+${text}`, {
          ...{ accountId: text, agentId: `a${text}`, connectorId: text },
          createdAt: EXTREME_TIMES[index % EXTREME_TIMES.length] ?? 0,
        })
        await scribbling([number], value => phoneNumbers.add(value, 9))
        expect(await phoneNumbers.list(`a${text}`, { connectorId: text }, 9)).toEqual([number])
        expect(await phoneNumbers.update(frozen(number), frozen({ ...number, connectorId: null }))).toBe(
          'written',
        )
        scribble(await phoneNumbers.find([number.number]))
        expect(await phoneNumbers.find([number.number])).toEqual([{ ...number, connectorId: null }])
      }
    })

    const { reopen } = factory
    if (reopen !== undefined) {
      it('SX72 numbers are there when the store is opened again', async () => {
        const store = await factory.open()
        await store.access.phoneNumbers.add([aPhoneNumber(ONE)], 9)
        const { phoneNumbers } = (await reopenForTest(reopen, store)).access
        expect(await phoneNumbers.find([ONE])).toEqual([aPhoneNumber(ONE, { accountId: ACCOUNT })])
      })
    }
  })
}
