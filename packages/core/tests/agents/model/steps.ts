import fc from 'fast-check'
import { ENVIRONMENTS, type Environment } from '../../../src/domain/environment.ts'
import type { ShelfKind } from './content.ts'

/** How a merge's conflicts are answered, one after the other, beginning again when they run out. */
export interface Answer {
  readonly strategy: 'ours' | 'theirs' | 'base'
  /** True: a value goes with it where that is allowed. */
  readonly valued: boolean
}

/** What is wrong, or unusual, with the first answer to a merge's conflicts. */
export type Mischief = 'none' | 'leave one' | 'stray' | 'twice' | 'misfit' | 'value for ours' | 'short paths'

/** What a step does. */
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
  /** Which branch, or which deployment. */
  readonly where: number
  /** Which resource. */
  readonly which: number
  readonly text: string
  readonly flag: boolean
  readonly environment: Environment | null
  /** Which of the nodes does it. */
  readonly node: number
  readonly answers: readonly Answer[]
  readonly mischief: Mischief
}

/** Few words, for names and texts alike, so that sides often meet. */
const WORDS = ['north', 'south', 'east', 'west', 'main']

const often = <T>(...weighted: readonly (readonly [number, T])[]): fc.Arbitrary<T> =>
  fc.oneof(...weighted.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })))

const aStep: fc.Arbitrary<Step> = fc.record({
  verb: often<Verb>(
    [2, 'behavior'],
    [2, 'setting'],
    [8, 'add'],
    [6, 'rename'],
    [6, 'edit'],
    [6, 'remove'],
    [7, 'value'],
    [5, 'default'],
    [6, 'branch'],
    [1, 'drop branch'],
    [14, 'merge'],
    [1, 'publish'],
    [3, 'promote'],
    [2, 'roll back'],
    [1, 'reopen'],
  ),
  kind: fc.constantFrom<ShelfKind[]>('topics', 'topics', 'attributes', 'variants', 'variants'),
  where: fc.nat(40),
  which: fc.nat(40),
  text: fc.constantFrom(...WORDS),
  flag: fc.boolean(),
  environment: fc.constantFrom(null, null, ...ENVIRONMENTS),
  node: fc.nat(1),
  answers: fc.array(
    fc.record({
      strategy: fc.constantFrom<Answer['strategy'][]>('ours', 'theirs', 'theirs', 'base'),
      valued: fc.nat(3).map(number => number === 0),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  mischief: often<Mischief>(
    [8, 'none'],
    [1, 'leave one'],
    [1, 'stray'],
    [1, 'twice'],
    [1, 'misfit'],
    [1, 'value for ours'],
    [3, 'short paths'],
  ),
})

/** Histories that are long enough to reach states which lie deep. */
export const histories = (least: number, most: number): fc.Arbitrary<readonly Step[]> =>
  fc.array(aStep, { minLength: least, maxLength: most, size: 'max' })
