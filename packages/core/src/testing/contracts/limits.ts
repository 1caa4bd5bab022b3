import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { RateLimit } from '../../domain/access/token-bucket.ts'
import type { SharedLimits } from '../../ports/shared-limits.ts'

/** One process's end of shared limits. */
export interface LimitsEnd {
  readonly limits: SharedLimits
  close(): Promise<void>
}

/** The contract's access to the limits under test. */
export interface LimitsFactory {
  /** The limits of one more process, connected with those that were made before in the same test. */
  connect(): Promise<LimitsEnd>
  /** Milliseconds of a clock that goes as that of the limits does. */
  now(): number
  /** Advances the time of the limits by so many milliseconds. */
  pass(milliseconds: number): Promise<void>
}

/** Names that have to be taken as they are. */
const STRANGE_NAMES = [
  '',
  ' ',
  'a b',
  'a:b',
  'a}b',
  '{a}',
  '{a}b',
  '*',
  '\u0001',
  '\u0000',
  'é漢😀',
  '__proto__',
  '\ud83d',
  '\ufffd',
  '"\\ud83d"',
  'x'.repeat(2_000),
]

/** So slow that nothing flows in while a test runs. */
const STILL = 0.000_01

/** A lease that does not end while a test runs, milliseconds. */
const LONG = 600_000

/** The largest difference between a limit's clock and the test's, milliseconds. */
const SLACK = 2

/** An attempt that was granted: no earlier than `asked`, no later than `answered`. */
interface Grant {
  readonly asked: number
  readonly answered: number
}

/** Returns the most that was granted beyond what any span allows. */
function excess(grants: readonly Grant[], { burst, perSecond }: RateLimit): number {
  let most = Number.NEGATIVE_INFINITY
  for (const { asked: from } of grants) {
    const inOrder = grants.filter(({ asked }) => asked >= from).sort((a, b) => a.answered - b.answered)
    for (const [index, { answered }] of inOrder.entries())
      most = Math.max(most, index + 1 - (burst + (perSecond * (answered - from + SLACK)) / 1_000))
  }
  return most
}

/**
 * Declares the tests of the `SharedLimits` port (rules LI1 to LI5) for one adapter. To be called in a vitest file.
 * Nothing fails here. Long, because it is a list of tests over the same few tools.
 */
export function testLimits(name: string, factory: LimitsFactory): void {
  const { now, pass } = factory
  async function ends(count: number): Promise<readonly SharedLimits[]> {
    const made: SharedLimits[] = []
    for (let index = 0; index < count; index++) {
      const end = await factory.connect()
      onTestFinished(() => end.close())
      made.push(end.limits)
    }
    return made
  }
  const oneEnd = async (): Promise<SharedLimits> => {
    const end = await factory.connect()
    onTestFinished(() => end.close())
    return end.limits
  }
  let names = 0
  const fresh = (): string => `fresh-${names++}`

  describe(`${name}: limits`, () => {
    it('LI1 processes that take at once get no more than the burst and what flows in, over any span', async () => {
      const processes = await ends(3)
      await fc.assert(
        fc.asyncProperty(
          fc.record({ perSecond: fc.integer({ min: 20, max: 400 }), burst: fc.integer({ min: 1, max: 30 }) }),
          fc.array(
            fc.record({
              takes: fc.array(fc.nat(processes.length - 1), { maxLength: 30 }),
              pause: fc.nat(15),
            }),
            { minLength: 2, maxLength: 6 },
          ),
          async (limit, rounds) => {
            const bucket = fresh()
            const grants: Grant[] = []
            const take = async (by: number): Promise<void> => {
              const asked = now()
              const answer = await processes[by]?.take(bucket, limit)
              if (answer?.taken) grants.push({ asked, answered: now() })
            }
            for (const { takes, pause } of rounds) {
              await Promise.all(takes.map(take))
              await pass(pause)
            }
            expect(excess(grants, limit)).toBeLessThanOrEqual(0)
          },
        ),
        { numRuns: 25 },
      )
    })

    it('LI1 exactly the burst is taken at once, by however many processes', async () => {
      const processes = await ends(4)
      const limit = { perSecond: STILL, burst: 30 }
      const bucket = fresh()
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) => processes[index % 4]?.take(bucket, limit)),
      )
      expect(answers.filter(answer => answer?.taken)).toHaveLength(30)
      for (const answer of answers) if (!answer?.taken) expect(answer?.tokens).toBeLessThan(1)
    })

    it('LI1 a refused attempt changes nothing, and the next token comes when it says', async () => {
      const [one, other] = await ends(2)
      const limit = { perSecond: 5, burst: 2 }
      const bucket = fresh()
      let last = await one?.take(bucket, limit)
      expect(last).toEqual({ taken: true, tokens: 1 })
      // A token may come on the way, and is taken as well.
      for (let attempt = 0; attempt < 50 || last?.taken; attempt++)
        last = await (attempt % 2 === 0 ? other : one)?.take(bucket, limit)
      const { tokens = Number.NaN } = last ?? {}
      expect(tokens).toBeGreaterThanOrEqual(0)
      await pass(((1 - tokens) / limit.perSecond) * 1_000 + SLACK)
      expect((await one?.take(bucket, limit))?.taken).toBe(true)
    })

    it('LI1 peek says how full a bucket is, and takes nothing', async () => {
      const [one, other] = await ends(2)
      const limit = { perSecond: STILL, burst: 3 }
      const bucket = fresh()
      expect(await one?.peek(bucket, limit)).toBe(3)
      await one?.take(bucket, limit)
      for (let time = 0; time < 10; time++) expect(await other?.peek(bucket, limit)).toBeCloseTo(2, 3)
      expect((await other?.take(bucket, limit))?.tokens).toBeCloseTo(1, 3)
    })

    it('LI1 buckets, what has places, and holders may have any name, and none is taken for another', async () => {
      const limits = await oneEnd()
      const own = fresh()
      const limit = { perSecond: STILL, burst: 1 }
      const terms = { most: STRANGE_NAMES.length, lease: LONG }
      for (const each of STRANGE_NAMES) {
        const strange = own + each
        expect((await limits.take(strange, limit)).taken, each).toBe(true)
        expect((await limits.take(strange, limit)).taken, each).toBe(false)
        expect(await limits.hold({ of: strange, holder: 'one' }, { most: 1, lease: LONG }), each).toBe(true)
        expect(await limits.hold({ of: strange, holder: 'two' }, { most: 1, lease: LONG }), each).toBe(false)
      }
      const of = fresh()
      for (const holder of STRANGE_NAMES) expect(await limits.hold({ of, holder }, terms), holder).toBe(true)
      expect(await limits.hold({ of, holder: 'one more' }, terms)).toBe(false)
      for (const holder of STRANGE_NAMES) expect(await limits.hold({ of, holder }, terms), holder).toBe(true)
    })

    it('LI5 no more holders have a place than there are, and each place that is free is given', async () => {
      const processes = await ends(3)
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 5 }),
          fc.array(
            fc.record({
              come: fc.uniqueArray(fc.nat(11), { maxLength: 12 }),
              go: fc.uniqueArray(fc.nat(11), { maxLength: 12 }),
            }),
            { minLength: 1, maxLength: 6 },
          ),
          async (most, rounds) => {
            const of = fresh()
            const held = new Set<number>()
            for (const { come, go } of rounds) {
              const free = most - held.size
              const had = come.filter(holder => held.has(holder))
              const got = await Promise.all(
                come.map(async (holder, index) => {
                  const process = processes[index % processes.length]
                  return (await process?.hold({ of, holder: `${holder}` }, { most, lease: LONG })) === true
                    ? [holder]
                    : []
                }),
              )
              const granted = got.flat()
              expect(granted).toEqual(expect.arrayContaining(had))
              expect(granted.length - had.length).toBe(Math.min(free, come.length - had.length))
              for (const holder of granted) held.add(holder)
              await Promise.all(
                go.map((holder, index) =>
                  processes[index % processes.length]?.release({ of, holder: `${holder}` }),
                ),
              )
              for (const holder of go) held.delete(holder)
            }
          },
        ),
        { numRuns: 25 },
      )
    })

    it('LI5 a place is free once its lease has ended, and not while it is renewed', async () => {
      const [one, other] = await ends(2)
      const of = fresh()
      const terms = { most: 2, lease: 100 }
      const long = { most: 2, lease: LONG }
      expect(await one?.hold({ of, holder: 'killed' }, terms)).toBe(true)
      expect(await one?.hold({ of, holder: 'alive' }, terms)).toBe(true)
      // If the lease has ended by now, it is held again.
      await one?.renew([{ of, holder: 'alive' }], LONG)
      await pass(terms.lease + SLACK)
      expect(await other?.hold({ of, holder: 'next' }, long)).toBe(true)
      expect(await other?.hold({ of, holder: 'one more' }, long)).toBe(false)
    })

    it('LI5 a place that was lost is held again by a renewal, even when the others have taken all', async () => {
      const limits = await oneEnd()
      const [a, b] = [fresh(), fresh()]
      const terms = { most: 1, lease: LONG }
      expect(await limits.hold({ of: a, holder: 'other' }, terms)).toBe(true)
      await limits.renew(
        [
          { of: a, holder: 'lost' },
          { of: b, holder: 'lost' },
        ],
        LONG,
      )
      await limits.release({ of: a, holder: 'other' })
      expect(await limits.hold({ of: a, holder: 'new' }, terms)).toBe(false)
      expect(await limits.hold({ of: b, holder: 'new' }, terms)).toBe(false)
      await limits.release({ of: a, holder: 'lost' })
      await limits.release({ of: a, holder: 'never there' })
      expect(await limits.hold({ of: a, holder: 'new' }, terms)).toBe(true)
    })

    it('LI1 a bucket is never fuller than its burst, also after a pause and under another limit', async () => {
      const limits = await oneEnd()
      const bucket = fresh()
      const limit = { perSecond: 1_000, burst: 3 }
      await limits.take(bucket, limit)
      await pass(50)
      expect(await limits.peek(bucket, limit)).toBe(3)
      expect((await limits.take(bucket, { perSecond: STILL, burst: 2 })).tokens).toBeCloseTo(1, 3)
      const half = { perSecond: STILL, burst: 0.5 + 1 }
      const fractions = fresh()
      expect((await limits.take(fractions, half)).tokens).toBeCloseTo(0.5, 3)
      expect((await limits.take(fractions, half)).taken).toBe(false)
      const [slowest, fastest] = [fresh(), fresh()]
      const extremes = { perSecond: 0.000_001, burst: 1_000_000 }
      expect((await limits.take(slowest, extremes)).tokens).toBeCloseTo(999_999, 2)
      expect((await limits.take(slowest, extremes)).tokens).toBeCloseTo(999_998, 2)
      expect((await limits.take(fastest, { perSecond: 1_000_000, burst: 1_000_000 })).taken).toBe(true)
    })
  })
}
