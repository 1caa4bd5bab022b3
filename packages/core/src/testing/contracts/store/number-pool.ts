import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AGENT, anAgent, aPooledNumber, START } from '../../fixtures.ts'
import {
  count,
  EXTREME_TIMES,
  HARD_STRINGS,
  openForTest,
  RACERS,
  race,
  reopenForTest,
  type StoreFactory,
  scribble,
  scribbling,
} from './tools.ts'

const OTHER = 'PROJECT-OTHER'
const [ONE, TWO, THREE] = ['+15550000001', '+15550000002', '+15550000003'] as const

const textsOf = (numbers: readonly { readonly number: string }[]): readonly string[] =>
  numbers.map(({ number }) => number)

/** What a caller is known by. */
const forCaller = (caller: number | string, at: number, until = at + 600) => ({
  ...{ attributes: { caller }, at, until },
})

/** Rules SX80 to SX89: pools of numbers, of which each is reserved for one caller at a time. */
export function describeNumberPool(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).access.numberPool
  /** A pool of three numbers, free from three moments. */
  async function filled() {
    const pool = await open()
    const numbers = [
      aPooledNumber(ONE, { freeFrom: START + 3 }),
      aPooledNumber(TWO, { freeFrom: START + 1 }),
      aPooledNumber(THREE, { freeFrom: START + 1 }),
    ]
    await pool.add(numbers, 9)
    return { pool, numbers }
  }

  describe('pools of numbers', () => {
    it('SX80 numbers are found as they were added, and listed in the order of their code points, in pages', async () => {
      const { pool, numbers } = await filled()
      await pool.add([aPooledNumber('+1555', { agentId: OTHER })], 9)
      expect(await pool.list(AGENT, {}, 9)).toEqual(numbers)
      expect(textsOf(await pool.list(AGENT, {}, 2))).toEqual([ONE, TWO])
      expect(textsOf(await pool.list(AGENT, { after: TWO }, 2))).toEqual([THREE])
      expect(textsOf(await pool.list(OTHER, {}, 9))).toEqual(['+1555'])
      expect(await pool.find(TWO)).toEqual(numbers[1])
      for (const none of ['', '15550000001', '+1555000000_']) expect(await pool.find(none)).toBeNull()
    })

    it('SX81 of numbers that are added together, one that a pool has keeps out all; no pool has more than it may', async () => {
      const pool = await open()
      await pool.add([aPooledNumber(TWO, { agentId: OTHER, accountId: 'ws-two' })], 9)
      const added = await pool.add([aPooledNumber(ONE), aPooledNumber(TWO)], 9)
      expect(added).toEqual({ outcome: 'taken', numbers: [TWO] })
      expect(await pool.add([aPooledNumber(ONE), aPooledNumber(THREE)], 1)).toEqual({ outcome: 'full' })
      expect(await pool.list(AGENT, {}, 9)).toEqual([])
      const same = await race(racer => pool.add([aPooledNumber(THREE, { agentId: `P-${racer}` })], 9))
      const outcomes = same.map(({ outcome }) => outcome)
      expect([count(outcomes, 'added'), count(outcomes, 'taken')]).toEqual([1, RACERS - 1])
      await race(racer => pool.add([aPooledNumber(`+1555000010${racer}`)], 3))
      expect(await pool.list(AGENT, {}, 9)).toHaveLength(3)
    })

    it('SX82 the number that has been free the longest is reserved, then by the code points of the number', async () => {
      const { pool } = await filled()
      const reserved: (string | undefined)[] = []
      for (const caller of [1, 2, 3, 4])
        reserved.push((await pool.reserve(AGENT, forCaller(caller, START + 9)))?.number)
      expect(reserved).toEqual([TWO, THREE, ONE, undefined])
      expect(await pool.reserve(OTHER, forCaller(5, START + 9))).toBeNull()
    })

    it('SX83 a number is free again at the end of its reservation, the exact moment included, and not before', async () => {
      const pool = await open()
      await pool.add([aPooledNumber(ONE)], 9)
      expect(await pool.reserve(AGENT, forCaller('early', START - 1))).toBeNull()
      const first = { attributes: { caller: 1 }, freeFrom: START + 600 }
      expect(await pool.reserve(AGENT, forCaller(1, START))).toEqual(aPooledNumber(ONE, first))
      expect(await pool.reserve(AGENT, forCaller(2, START + 599))).toBeNull()
      expect(await pool.find(ONE)).toEqual(aPooledNumber(ONE, first))
      const second = { attributes: { caller: 2 }, freeFrom: START + 1_200 }
      expect(await pool.reserve(AGENT, forCaller(2, START + 600))).toEqual(aPooledNumber(ONE, second))
    })

    it('SX84 of reservations at once each gets another number, and one number goes to one caller', async () => {
      const pool = await open()
      const most = RACERS - 3
      const numbers = Array.from({ length: most }, (_, index) => aPooledNumber(`+1555000020${index}`))
      await pool.add(numbers, 99)
      const results = await race(racer => pool.reserve(AGENT, forCaller(racer, START)))
      const given = results.filter(result => result !== null)
      expect(new Set(textsOf(given)).size).toBe(most)
      expect(given).toHaveLength(most)
      for (const one of given) expect(await pool.find(one.number)).toEqual(one)
      const callers = results.flatMap((result, racer) => (result === null ? [] : [racer]))
      expect(given.map(({ attributes }) => attributes)).toEqual(callers.map(caller => ({ caller })))
    })

    it('SX85 a reservation forgets what the free numbers of its agent were reserved for, and no others', async () => {
      const { pool } = await filled()
      await pool.add([aPooledNumber('+1555', { agentId: OTHER })], 9)
      await pool.reserve(OTHER, forCaller('other', START, START + 1))
      await pool.reserve(AGENT, forCaller('gone', START + 9, START + 10))
      await pool.reserve(AGENT, forCaller('here', START + 9, START + 99))
      expect((await pool.reserve(AGENT, forCaller('next', START + 10)))?.number).toBe(ONE)
      const known = await pool.list(AGENT, {}, 9)
      expect(known.map(({ attributes }) => attributes?.caller)).toEqual(['next', undefined, 'here'])
      await pool.reserve(AGENT, forCaller('last', START + 10, START + 11))
      expect(await pool.reserve(AGENT, forCaller('late', START + 10))).toBeNull()
      expect((await pool.find('+1555'))?.attributes).toEqual({ caller: 'other' })
    })

    it('SX86 a number is removed by its agent alone, reserved or not, and goes with its agent', async () => {
      const store = await openForTest(factory)
      const { numberPool: pool } = store.access
      await store.agents.create(anAgent())
      await pool.add([aPooledNumber(ONE), aPooledNumber(TWO)], 9)
      await pool.add([aPooledNumber(THREE, { agentId: OTHER })], 9)
      await pool.reserve(AGENT, forCaller(1, START))
      expect(await pool.remove(OTHER, ONE)).toBe(false)
      expect(await pool.remove(AGENT, '+1555')).toBe(false)
      expect(count(await race(() => pool.remove(AGENT, ONE)), true)).toBe(1)
      expect(await pool.find(ONE)).toBeNull()
      expect(await store.agents.delete(AGENT, START)).toBe(true)
      expect(await pool.find(TWO)).toBeNull()
      expect(textsOf(await pool.list(OTHER, {}, 9))).toEqual([THREE])
    })

    it('SX89 in any history no number has two reservations at a time, and none waits while one is free', async () => {
      const step = fc.record({
        type: fc.constantFrom('reserve' as const, 'reserve' as const, 'pass' as const, 'remove' as const),
        count: fc.integer({ min: 1, max: 4 }),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async steps => {
          const pool = await open()
          const free = new Map<string, number>([ONE, TWO, THREE].map(number => [number, 0]))
          await pool.add(
            [...free.keys()].map(number => aPooledNumber(number, { freeFrom: 0 })),
            9,
          )
          let now = 0
          for (const { type, count: times } of steps) {
            if (type === 'pass') now += times * 4
            if (type === 'remove' && free.size > 1) {
              const [first = ONE] = free.keys()
              free.delete(first)
              expect(await pool.remove(AGENT, first)).toBe(true)
            }
            if (type !== 'reserve') continue
            const until = now + 10
            const results = await Promise.all(
              Array.from({ length: times }, (_, racer) => pool.reserve(AGENT, forCaller(racer, now, until))),
            )
            const expected = [...free.keys()]
              .filter(number => (free.get(number) ?? 0) <= now)
              .sort((one, other) => (free.get(one) ?? 0) - (free.get(other) ?? 0) || (one < other ? -1 : 1))
              .slice(0, times)
            const given = textsOf(results.filter(result => result !== null))
            expect([...given].sort()).toEqual([...expected].sort())
            for (const number of expected) free.set(number, until)
          }
        }),
        { numRuns: 20 },
      )
    })

    it('SX87 every string, moment and attribute of a number is kept as it is, and values are copied', async () => {
      const pool = await open()
      for (const [index, text] of HARD_STRINGS.entries()) {
        const time = EXTREME_TIMES[index % EXTREME_TIMES.length] ?? 0
        const agentId = `a${text}`
        const number = aPooledNumber(`+${text}`, {
          ...{ accountId: text, agentId, createdAt: time, freeFrom: time, attributes: { old: text } },
        })
        await scribbling([number], value => pool.add(value, 9))
        expect(await pool.list(agentId, {}, 9)).toEqual([number])
        const attributes = { text, [`key ${text}`]: [text, 1.5, null, true, { deep: text }], '': '' }
        const reservation = { attributes, at: time, until: time + 1 }
        const reserved = await scribbling(reservation, value => pool.reserve(agentId, value))
        expect(reserved).toEqual({ ...number, attributes, freeFrom: time + 1 })
        scribble(reserved)
        expect(await pool.find(number.number)).toEqual({ ...number, attributes, freeFrom: time + 1 })
      }
    })

    const { reopen } = factory
    if (reopen !== undefined) {
      it('SX88 pools and reservations are there when the store is opened again', async () => {
        const store = await factory.open()
        await store.access.numberPool.add([aPooledNumber(ONE), aPooledNumber(TWO)], 9)
        await store.access.numberPool.reserve(AGENT, forCaller('one', START))
        const pool = (await reopenForTest(reopen, store)).access.numberPool
        expect((await pool.list(AGENT, {}, 9)).map(({ attributes }) => attributes)).toEqual([
          { caller: 'one' },
          null,
        ])
      })
    }
  })
}
