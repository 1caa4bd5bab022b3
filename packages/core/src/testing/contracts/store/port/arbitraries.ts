import fc from 'fast-check'
import { STEP, type Step } from '../../../../store/conversations/kinds.ts'
import type { Batch, Kind } from '../../../../store/documents.ts'
import { POOLED_NUMBER, TEST_RUN, VOICE } from '../../../../store/kinds.ts'
import { aPooledNumber, aTestRun, aVoice } from '../../../fixtures.ts'
import { EXTREME_TIMES, HARD_STRINGS } from '../tools.ts'
import { columnOf, columnsOf, type Question } from './model.ts'

/** Few, so that they meet; each sorts otherwise by UTF-16, or is cut off by something. */
const TEXTS = ['a', 'A', 'é', '\u0000', '\uffff', '𝒳', '"', '%', ...HARD_STRINGS.slice(0, 2)] as const
const OWNERS = ['one', 'two', '𝒳'] as const
const NUMBERS = [...EXTREME_TIMES, 9, 10, -10, -9, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER] as const

const text = fc.constantFrom(...TEXTS)
const owner = fc.constantFrom(...OWNERS)
const number = fc.constantFrom(...NUMBERS)
const version = fc.integer({ min: 1, max: 3 })

/** Returns a step of a log. */
const aStep = (place: Pick<Step, 'log' | 'first' | 'version'>): Step => ({
  ...{ ...place, added: [], indexed: 1, whole: 1, changes: null, wakeAt: null, timer: null },
  ...{ events: place.first, turns: 0, pending: [] },
})

/** Kinds of documents as random tests take them: one of each form that a kind may have. */
export interface Sample<T> {
  readonly kind: Kind<T>
  readonly value: fc.Arbitrary<T>
  /** An index whose first column is an owner. */
  readonly owned: string
}

const voices: Sample<ReturnType<typeof aVoice>> = {
  kind: VOICE,
  owned: 'account',
  value: fc
    .record({ id: text, accountId: owner, createdAt: number, version })
    .map(({ id, ...values }) => aVoice(id, values)),
}

/** Some are in no list by `used_until`. */
const pooled: Sample<ReturnType<typeof aPooledNumber> & { readonly version: number }> = {
  kind: POOLED_NUMBER,
  owned: 'used',
  value: fc
    .record({
      id: text,
      agentId: owner,
      freeFrom: number,
      attributes: fc.constantFrom(null, { order: 1 }),
      version,
    })
    .map(({ id, version, ...values }) => ({ ...aPooledNumber(id, values), version })),
}

/** With three columns in an index, the last of which is a part of the id. */
const testRuns: Sample<ReturnType<typeof aTestRun>> = {
  kind: TEST_RUN,
  owned: 'agent',
  value: fc
    .record({
      id: text,
      agentId: owner,
      startedAt: number,
      leaseUntil: number,
      status: fc.constantFrom('running', 'passed'),
      writes: version,
    })
    .map(values => aTestRun(1, values)),
}

/** With a key, and a number in it. */
const steps: Sample<Step> = {
  kind: STEP,
  owned: 'log',
  value: fc.record({ log: owner, first: fc.constantFrom(1, 2, 9, 10, 11, 2 ** 40), version }).map(aStep),
}

/** All sample groups, whatever their values are. */
export const SAMPLES = [voices, pooled, testRuns, steps] as unknown as readonly Sample<unknown>[]

/** Any batch, mostly of one kind: the same document may be in it several times, of which the last counts. */
export const batch: fc.Arbitrary<Batch> = fc.constantFrom(...SAMPLES).chain(most => {
  const sample = fc.oneof({ weight: 5, arbitrary: fc.constant(most) }, fc.constantFrom(...SAMPLES))
  const put = sample.chain(({ kind, value }) => value.map(one => ({ kind, value: one })))
  const part = fc
    .tuple(sample, owner)
    .map(([{ kind, owned: index }, first]) => ({ kind, index, prefix: [first] }))
  const atVersion = fc
    .tuple(put, fc.nat(3))
    .map(([{ kind, value }, version]) => ({ kind, id: kind.id(value), version }))
  const atMost = fc
    .tuple(part, fc.integer({ min: -1, max: 4 }))
    .map(([one, most]) => ({ ...one, atMost: most }))
  return fc.record({
    when: fc.array(fc.oneof({ weight: 2, arbitrary: atVersion }, atMost), { maxLength: 3 }),
    clear: fc.array(part, { maxLength: 1 }),
    put: fc.array(put, { maxLength: 4 }),
    remove: fc.array(
      put.map(({ kind, value }) => ({ kind, id: kind.id(value) })),
      { maxLength: 1 },
    ),
  })
})

/** Any question for a list of a kind, at values that its documents may have. */
export const questionOf = <T>({ kind, value }: Sample<T>) =>
  fc
    .record({
      index: fc.constantFrom('id', ...Object.keys(kind.indexes)),
      depth: fc.nat(2),
      ...{ at: value, lower: value, upper: value, behind: value, wanted: fc.array(value, { maxLength: 3 }) },
      asks: fc.record({
        ...{ after: fc.boolean(), from: fc.boolean(), through: fc.boolean(), where: fc.nat(3) },
      }),
      descending: fc.boolean(),
      skip: fc.option(fc.nat(2), { nil: undefined }),
      limit: fc.option(fc.nat(4), { nil: undefined }),
    })
    .map(({ asks, at, behind, depth, index, lower, upper, wanted, ...rest }) => {
      const own = kind.indexes[index] ?? []
      // Within documents that are in the list at all, and at a value that is one.
      const of = (one: T, column = '') => columnOf(kind, one, column)
      const parts = own.slice(0, depth).map(column => of(at, column))
      const prefix = parts.includes(null) ? [] : parts.filter(part => part !== null)
      const next = columnsOf(kind, index)[prefix.length]
      const [from, through] = [of(lower, next), of(upper, next)]
      const column = Object.keys(kind.columns)[asks.where]
      const values = wanted.map(one => of(one, column)).filter(part => part !== null)
      const question: Question<T> = {
        ...{ prefix, ...rest },
        ...(asks.after && own.every(name => of(behind, name) !== null) && { after: behind }),
        ...(asks.from && own.includes(next ?? '') && from !== null && { from }),
        ...(asks.through && own.includes(next ?? '') && through !== null && { through }),
        ...(column !== undefined && { where: { [column]: values } }),
      }
      return { index, question }
    })
