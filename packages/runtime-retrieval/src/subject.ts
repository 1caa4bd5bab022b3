import { sentences } from './index/passages.ts'
import { words } from './index/words.ts'
import { lengthAt, type Wording } from './wording.ts'

/** Words of one message that are looked at for what it is about. */
const MOST_WORDS = 80
/** Questions in one message that are looked at. */
const MOST_QUESTIONS = 8

/**
 * Returns the words that show the subject of a message: not those that any message has, nor those that ask for an
 * aspect.
 */
export function subjectOf(asked: readonly string[], wording: Wording): readonly string[] {
  return asked.filter(
    word =>
      !wording.commonWords.has(word) &&
      !wording.references.has(word) &&
      !/^\d/.test(word) &&
      !asksForAspect([word], wording),
  )
}

/** Returns the words that an answer shares with a question: its subject, and numbers. */
export const toldBy = (asked: readonly string[], wording: Wording): readonly string[] => [
  ...subjectOf(asked, wording),
  ...asked.filter(word => /^\d/.test(word)),
]

/** True when a message asks for an aspect that any subject has. */
export const asksForAspect = (asked: readonly string[], { aspects }: Wording): boolean =>
  asked.some(word => aspects.some(one => one.asked.has(word)))

/** True when a message asks for a person and for nothing else. */
export function asksForPerson(asked: readonly string[], wording: Wording): boolean {
  const subject = asked.filter(word => !wording.commonWords.has(word) || wording.people.has(word))
  return subject.length > 0 && subject.every(word => wording.people.has(word))
}

/** Returns the questions that a message may consist of, each in words. `ends` are the signs that end one. */
export function questionsIn(text: string, ends: RegExp, wording: Wording): readonly (readonly string[])[] {
  const parts: string[][] = []
  for (const sentence of text.split(ends)) {
    let part: string[] = []
    const list = words(sentence)
    if (list.length > MOST_WORDS) return []
    for (let at = 0; at < list.length; ) {
      const length = lengthAt(list, at, wording.conjunctions)
      if (length > 0) {
        parts.push(part)
        part = []
      } else part.push(list[at] ?? '')
      at += Math.max(length, 1)
    }
    parts.push(part)
  }
  return parts.filter(part => subjectOf(part, wording).length > 0).slice(0, MOST_QUESTIONS)
}

/** Beginnings of this length make two words forms of one. */
const STEM = 4

/** Returns a stem, which is equal for all forms of one word. */
const stemOf = (word: string): string => word.slice(0, STEM)

const alike = (one: string, other: string): boolean => stemOf(one) === stemOf(other)

/**
 * Returns the sentences of a topic that a further question about it asks for: those that share most of its words, or
 * tell of the aspect that it asks for. The whole content when none does.
 */
export function passagesFor(content: string, question: string, wording: Wording): string {
  const list = words(question)
  const days = list.filter(word => wording.commonWords.has(word) && word.length >= STEM)
  const keys = [...toldBy(list, wording), ...days]
  const told = wording.aspects
    .filter(({ asked }) => list.some(word => asked.has(word)))
    .map(aspect => aspect.told)
  const all = sentences(content)
  const scores = all.map(sentence => {
    const own = words(sentence)
    const shared = keys.filter(key => own.some(word => alike(word, key))).length
    const aspects = told.filter(set => own.some(word => set.has(word))).length
    return 2 * shared + aspects
  })
  const best = Math.max(0, ...scores)
  if (best === 0) return content
  return all.filter((_, at) => scores[at] === best).join(' ')
}
