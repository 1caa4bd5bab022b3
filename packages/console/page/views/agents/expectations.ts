import type { TestCase } from '@colloquy/client/http'
import { linesOf } from '../../lines.ts'
import { textOf, valueText } from '../../value-text.ts'
import { isPhrases, phrasesText } from './phrase-fields.ts'
import { say } from './texts.ts'

/** The visitor's text, and the expectations on the answer. */
export type TestTurn = TestCase['turns'][number]
type Expectations = TestTurn['expectations']

/** Each in its place, whoever wrote it. */
const NAMES = ['topic', 'citedTopic', 'contains', 'notContains', 'function', 'handoff', 'ends'] as const

const isObject = (value: unknown): value is object => Object(value) === value

/** A function is called by its name, with what it is given; a handoff by where it leads. */
function namedText(value: object): string {
  const { name, destination, arguments: given } = { name: '', destination: '', arguments: {}, ...value }
  return [name || destination, isObject(given) && valueText(given)].filter(Boolean).join(' · ')
}

/** One expectation in words; of what is no expectation nothing is said. */
export function expectationText(name: string, value: unknown): string {
  if (name === 'ends') return say(value === false ? 'expects.goes-on' : 'expects.ends')
  if (name === 'goal') return say('expects.goal')
  const known = [...NAMES, 'never' as const, 'judge' as const].find(one => one === name)
  if (known === undefined) return ''
  const inWords = isObject(value) && !Array.isArray(value) ? namedText(value) : valueText(value)
  return inWords === '' ? say(`expects.${known}`) : `${say(`expects.${known}`)}: ${inWords}`
}

/** Returns all expectations of a turn as texts. */
export const expectationTexts = (expectations: Expectations): readonly string[] =>
  NAMES.flatMap(name => (expectations[name] === undefined ? [] : [expectationText(name, expectations[name])]))

/** Expected events after an answer. */
export const AFTERS = ['', 'handoff', 'ends', 'goes-on'] as const
type After = (typeof AFTERS)[number]

/** Expectations on an answer, as people enter them. */
export interface Expected {
  readonly citedTopic: string
  /** A line each. */
  readonly contains: string
  readonly notContains: string
  readonly after: After
}

export const NOTHING_EXPECTED: Expected = { citedTopic: '', contains: '', notContains: '', after: '' }

const afterOf = ({ handoff, ends }: Expectations): After => {
  if (handoff !== undefined) return 'handoff'
  if (ends === undefined) return ''
  return ends ? 'ends' : 'goes-on'
}

export const expectedOf = (expectations: Expectations): Expected => ({
  citedTopic: expectations.citedTopic ?? '',
  contains: (expectations.contains ?? []).join('\n'),
  notContains: (expectations.notContains ?? []).join('\n'),
  after: afterOf(expectations),
})

const AFTER: Readonly<Record<After, Pick<Expectations, 'handoff' | 'ends'>>> = {
  '': {},
  handoff: { handoff: {} },
  ends: { ends: true },
  'goes-on': { ends: false },
}

/** As the server takes it. What the form does not have stays as it was. */
export function expectationsOf(expected: Expected, before: Expectations = {}): Expectations {
  const { citedTopic, after } = expected
  const [contains, notContains] = [linesOf(expected.contains), linesOf(expected.notContains)]
  const { topic, function: called, handoff, ends } = before
  const kept = { ...(handoff === undefined ? {} : { handoff }), ...(ends === undefined ? {} : { ends }) }
  return {
    ...(topic === undefined ? {} : { topic }),
    ...(citedTopic === '' ? {} : { citedTopic }),
    ...(contains.length === 0 ? {} : { contains }),
    ...(notContains.length === 0 ? {} : { notContains }),
    ...(called === undefined ? {} : { function: called }),
    ...(after === afterOf(before) ? kept : AFTER[after]),
  }
}

/** Describes the visitor's texts in words, with the expectations on each answer. */
export const turnsText = (turns: readonly TestTurn[]): string =>
  turns
    .map(({ text, expectations }) =>
      [`${say('case.says')}: ${text}`, ...expectationTexts(expectations)].join('\n'),
    )
    .join('\n\n')

const isTurns = (value: unknown): value is readonly TestTurn[] =>
  Array.isArray(value) && value.length > 0 && value.every(one => isObject(one) && 'expectations' in one)

/** Returns a value of an agent's content as people read it, whatever it is. */
export function contentText(value: unknown): string {
  if (isTurns(value)) return turnsText(value)
  if (isPhrases(value)) return phrasesText(value)
  const queries: unknown = isObject(value) ? Reflect.get(value, 'queries') : undefined
  return Array.isArray(queries) ? queries.join('\n') : textOf(value)
}
