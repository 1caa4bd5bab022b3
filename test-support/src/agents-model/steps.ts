import fc from 'fast-check'
import { ENVIRONMENTS, type Environment } from '../../../packages/core/src/domain/environment.ts'
import type { ShelfKind } from './content.ts'

/** A resolution of a merge's conflict. The list is used in order, and from its start again when it runs out. */
export interface Answer {
  readonly strategy: 'ours' | 'theirs' | 'base'
  /** True: a value goes with it where that is allowed. */
  readonly valued: boolean
}

/** Defect or peculiarity of the first resolution of a merge's conflicts. */
export type Mischief = 'none' | 'leave one' | 'stray' | 'twice' | 'misfit' | 'value for ours' | 'short paths'

/** Action of a step. */
type Verb =
  | 'behavior'
  | 'setting'
  | 'add'
  | 'rename'
  | 'edit'
  | 'remove'
  | 'value'
  | 'default'
  | 'branch'
  | 'drop branch'
  | 'merge'
  | 'publish'
  | 'promote'
  | 'roll back'
  | 'reopen'

/** One random step. Numbers choose among what is there, so that every step means something in every state. */
export interface Step {
  readonly verb: Verb
  readonly kind: ShelfKind
  /** Index of the branch or deployment. */
  readonly where: number
  /** Index of the resource. */
  readonly which: number
  readonly text: string
  readonly flag: boolean
  readonly environment: Environment | null
  /**
   * An edit: the other branch does much the same right after, with a word of its own; that is what conflicts come from.
   */
  readonly twin: string | null
  /** Index of the node that does it. */
  readonly node: number
  readonly answers: readonly Answer[]
  readonly mischief: Mischief
}

/** Few words, for names and texts alike, so that sides often meet. */
const WORDS = ['north', 'south', 'east', 'west', 'main']

/** One of them. */
export const aWord = fc.constantFrom(...WORDS)

const often = <T>(...weighted: readonly (readonly [number, T])[]): fc.Arbitrary<T> =>
  fc.oneof(...weighted.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })))

/** Answers to the conflicts of one merge. */
export const someAnswers: fc.Arbitrary<readonly Answer[]> = fc.array(
  fc.record({
    strategy: fc.constantFrom<Answer['strategy'][]>('ours', 'theirs', 'theirs', 'base'),
    valued: fc.nat(3).map(number => number === 0),
  }),
  { minLength: 1, maxLength: 6 },
)

/** Possible defects of the first resolution. */
export const someMischief: fc.Arbitrary<Mischief> = often<Mischief>(
  [8, 'none'],
  [1, 'leave one'],
  [1, 'stray'],
  [1, 'twice'],
  [1, 'misfit'],
  [1, 'value for ours'],
  [3, 'short paths'],
)

const aStep: fc.Arbitrary<Step> = fc.record({
  verb: often<Verb>(
    [3, 'behavior'],
    [4, 'setting'],
    [8, 'add'],
    [12, 'rename'],
    [12, 'edit'],
    [8, 'remove'],
    [14, 'value'],
    [9, 'default'],
    [5, 'branch'],
    [1, 'drop branch'],
    [9, 'merge'],
    [5, 'publish'],
    [4, 'promote'],
    [3, 'roll back'],
    [2, 'reopen'],
  ),
  kind: fc.constantFrom<ShelfKind[]>('topics', 'topics', 'attributes', 'variants', 'variants', 'test_cases'),
  where: fc.nat(40),
  which: fc.nat(40),
  text: aWord,
  flag: fc.boolean(),
  environment: fc.constantFrom(null, null, ...ENVIRONMENTS),
  twin: fc.option(aWord, { freq: 2 }),
  node: fc.nat(1),
  answers: someAnswers,
  mischief: someMischief,
})

/** Histories that are long enough to reach states which lie deep. */
export const histories = (least: number, most: number): fc.Arbitrary<readonly Step[]> =>
  fc.array(aStep, { minLength: least, maxLength: most, size: 'max' })

const ADD = {
  verb: 'add',
  where: 0,
  which: 1,
  flag: false,
  environment: null,
  twin: null,
  node: 0,
  answers: [],
  mischief: 'none',
} as const

/** First steps of every history: some of everything on main, and two branches from there. */
export const OPENING: readonly Step[] = [
  { ...ADD, kind: 'topics', verb: 'branch', text: 'work' },
  { ...ADD, kind: 'topics', text: 'north' },
  { ...ADD, kind: 'topics', text: 'south' },
  { ...ADD, kind: 'attributes', text: 'north' },
  { ...ADD, kind: 'attributes', text: 'south' },
  { ...ADD, kind: 'variants', text: 'north', flag: true },
  { ...ADD, kind: 'variants', text: 'south', flag: true },
  { ...ADD, kind: 'test_cases', text: 'north' },
  { ...ADD, kind: 'topics', verb: 'merge', text: '' },
  { ...ADD, kind: 'topics', verb: 'branch', text: 'other work' },
]
