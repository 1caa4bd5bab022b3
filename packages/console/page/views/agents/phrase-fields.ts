import type { ResponseSettings } from '@colloquy/client/http'
import { linesOf } from '../../lines.ts'
import { locale } from '../../texts/language.ts'
import { say } from './texts.ts'

/** An agent's phrases by language code. */
export type AllPhrases = NonNullable<ResponseSettings['phrases']>
type Phrases = AllPhrases[string]
type SmallTalk = NonNullable<Phrases['smallTalk']>

/** The phrases that are one text each, in the order of the form. */
export const PHRASE_NAMES = [
  'unknown',
  'offer',
  'clarify',
  'confirm',
  'declined',
  'misunderstood',
  'silence',
  'handoff',
  'closed',
  'back',
  'leaveMessage',
  'messageTaken',
  'cutShort',
  'failed',
  'eventReceived',
] as const

/** The phrases of one language as the form has them: `''` for the runtime's own, and small talk a line each. */
export type PhraseFields = Readonly<Record<(typeof PHRASE_NAMES)[number] | 'smallTalk', string>>

/** One line for messages and their answer: `hello, hi: Good day!` */
const lineOf = ({ to, says }: SmallTalk[number]): string => `${to.join(', ')}: ${linesOf(says).join(' ')}`

/** Messages and their answer of a line, with signs of any script; null for a line that lacks one of them. */
function talkOf(line: string): SmallTalk[number] | null {
  const [, before = '', says = ''] = /^([^:：]*)[:：](.*)$/u.exec(line) ?? []
  const to = before
    .split(/[,，、،;]/u)
    .map(one => one.trim())
    .filter(one => one !== '')
  return to.length === 0 || says.trim() === '' ? null : { to, says: says.trim() }
}

/** Returns the lines of small talk that are not saved: they lack messages, the colon or the answer. */
export const incompleteLines = (smallTalk: string): readonly string[] =>
  linesOf(smallTalk).filter(line => talkOf(line) === null)

/** Returns the phrases of one language as the form shows them. */
export function phraseFieldsOf(all: AllPhrases, language: string): PhraseFields {
  const { smallTalk = [], ...fixed }: Phrases = all[language] ?? {}
  const texts = PHRASE_NAMES.map(name => [name, fixed[name] ?? ''] as const)
  const talk = { smallTalk: smallTalk.map(lineOf).join('\n') }
  return { ...(Object.fromEntries(texts) as Omit<PhraseFields, 'smallTalk'>), ...talk }
}

/** Returns all phrases with the changed fields of one language. Empty fields are left out. */
export function withPhraseFields(
  all: AllPhrases,
  language: string,
  change: Partial<PhraseFields>,
): AllPhrases {
  const { smallTalk: talkBefore = [], ...before }: Phrases = all[language] ?? {}
  const fixed = PHRASE_NAMES.flatMap(name => {
    const text = (change[name] ?? before[name] ?? '').trim()
    return text === '' ? [] : [[name, text] as const]
  })
  const talk =
    change.smallTalk === undefined
      ? talkBefore
      : linesOf(change.smallTalk).flatMap(line => talkOf(line) ?? [])
  const phrases: Phrases = { ...Object.fromEntries(fixed), ...(talk.length === 0 ? {} : { smallTalk: talk }) }
  const { [language]: _, ...others } = all
  return Object.keys(phrases).length === 0 ? others : { ...others, [language]: phrases }
}

const LABELLED: readonly string[] = [...PHRASE_NAMES, 'smallTalk']

/** Returns a phrase as people call it. */
export function phraseLabel(field: string): string {
  const name = PHRASE_NAMES.find(one => one === field)
  return say(name === undefined ? 'phrase.smallTalk' : `phrase.${name}`)
}

/** Returns a language as people call it. */
export const languageName = (code: string): string =>
  new Intl.DisplayNames([locale()], { type: 'language' }).of(code) ?? code

const isObject = (value: unknown): value is object => Object(value) === value && !Array.isArray(value)

/** True for phrases by language. */
export const isPhrases = (value: unknown): value is AllPhrases =>
  isObject(value) &&
  Object.values(value).length > 0 &&
  Object.values(value).every(one => isObject(one) && Object.keys(one).every(key => LABELLED.includes(key)))

/** Phrases as people read them, language by language. */
export const phrasesText = (all: AllPhrases): string =>
  Object.keys(all)
    .map(language => {
      const fields = Object.entries(phraseFieldsOf(all, language)).filter(([, text]) => text !== '')
      return [languageName(language), ...fields.map(([name, text]) => `${phraseLabel(name)}: ${text}`)].join(
        '\n',
      )
    })
    .join('\n\n')
