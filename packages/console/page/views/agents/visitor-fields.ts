import type { TestCase } from '@colloquy/client/http'
import { linesOf } from '../../lines.ts'
import { expectationText, expectationTexts } from './expectations.ts'
import { say } from './texts.ts'

export type VisitorProfile = NonNullable<TestCase['visitor']>

/** A visitor who talks back, as people enter it. Lists have a line each. */
export interface VisitorForm {
  readonly goal: string
  /** A topic, a colon and the answer in each line. */
  readonly facts: string
  readonly wants: string
  readonly persona: string
  readonly maxTurns: string
  readonly talks: string
  readonly mustPass: string
  readonly isReached: boolean
  readonly never: string
  readonly judge: string
}

/** A new visitor: its goal is to be reached. */
export const NEW_VISITOR: VisitorForm = {
  ...{ goal: '', facts: '', wants: '', persona: '', maxTurns: '10', talks: '1', mustPass: '' },
  ...{ isReached: true, never: '', judge: '' },
}

const joined = (lines: readonly string[] = []): string => lines.join('\n')

export const visitorFormOf = ({ expectations, ...visitor }: VisitorProfile): VisitorForm => ({
  goal: visitor.goal,
  facts: joined(Object.entries(visitor.facts).map(([topic, answer]) => `${topic}: ${answer}`)),
  wants: joined(visitor.wants),
  persona: visitor.persona ?? '',
  maxTurns: String(visitor.maxTurns),
  talks: String(visitor.talks),
  mustPass: visitor.mustPass === undefined ? '' : String(visitor.mustPass),
  isReached: expectations.goal !== undefined,
  never: joined(expectations.never),
  judge: joined(expectations.judge),
})

/** Returns the facts of a form; a line without a colon is a topic with itself as the answer. */
const factsOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    linesOf(text).map(line => {
      const at = line.indexOf(': ')
      return at === -1 ? [line, line] : [line.slice(0, at).trim(), line.slice(at + 2).trim()]
    }),
  )

const numberOf = (text: string): number | undefined =>
  /^\d{1,3}$/.test(text.trim()) ? Number(text) : undefined

const someOf = <Name extends string>(name: Name, text: string) => {
  const lines = linesOf(text)
  return (lines.length === 0 ? {} : { [name]: lines }) as { readonly [Key in Name]?: readonly string[] }
}

/** As the server takes it. What the form does not have stays as it was. */
export function visitorOf(form: VisitorForm, before?: VisitorProfile): VisitorProfile {
  const { goal: _, judge: __, never: ___, ...others } = before?.expectations ?? {}
  const mustPass = numberOf(form.mustPass)
  const persona = form.persona.trim()
  return {
    goal: form.goal.trim(),
    facts: factsOf(form.facts),
    ...someOf('wants', form.wants),
    ...(persona === '' ? {} : { persona }),
    ...(before?.language === undefined ? {} : { language: before.language }),
    maxTurns: numberOf(form.maxTurns) ?? before?.maxTurns ?? 10,
    talks: numberOf(form.talks) ?? before?.talks ?? 1,
    ...(mustPass === undefined ? {} : { mustPass }),
    expectations: {
      ...others,
      ...(form.isReached ? { goal: 'reached' as const } : {}),
      ...someOf('never', form.never),
      ...someOf('judge', form.judge),
    },
  }
}

/** Describes what is expected of a talk, a line each. */
export function talkTexts({ expectations, mustPass, talks }: VisitorProfile): readonly string[] {
  const { goal, judge = [], never = [], ...others } = expectations
  return [
    ...(goal === undefined ? [] : [expectationText('goal', goal)]),
    ...(never.length === 0 ? [] : [expectationText('never', never)]),
    ...judge.map(sentence => expectationText('judge', sentence)),
    ...expectationTexts(others),
    ...(talks === 1 ? [] : [say('visitor.times', { talks, least: mustPass ?? talks })]),
  ]
}

/** Describes a visitor as people read a change. */
export const visitorText = (visitor: VisitorProfile): string =>
  [
    `${say('visitor.goal')}: ${visitor.goal}`,
    ...Object.entries(visitor.facts).map(([topic, answer]) => `${topic}: ${answer}`),
    ...talkTexts(visitor),
  ].join('\n')
