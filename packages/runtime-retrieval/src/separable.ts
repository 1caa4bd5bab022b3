import { words } from './index/words.ts'

/** Particles that German verbs leave at the end of a clause. */
const PARTICLES: ReadonlySet<string> = new Set(
  'ab an auf aus bei ein fest her hin los mit nach um vor weg weiter zu zurück zusammen heraus hinein raus rein'.split(
    ' ',
  ),
)
const CLAUSE_ENDS = /[.?!;:,\n–—()]+/
/** Clauses and words of one that are looked at, and letters of a verb without its ending, at least. */
const MOST_CLAUSES = 8
const MOST_WORDS = 12
const STEM = 3

/**
 * Returns what clauses say in two places as one word: "anmelden" and "anmeldung" of "Wie melde ich mich an?". Any word
 * of a clause may be its verb, so most of them are no words.
 */
export const joinedVerbs = (text: string): readonly string[] =>
  text
    .split(CLAUSE_ENDS)
    .map(clause => clause.trim())
    .filter(clause => PARTICLES.has(clause.slice(clause.lastIndexOf(' ') + 1).toLowerCase()))
    .slice(0, MOST_CLAUSES)
    .flatMap(joinedIn)

function joinedIn(clause: string): readonly string[] {
  const list = words(clause)
  const particle = list.at(-1) ?? ''
  return list.slice(0, Math.min(MOST_WORDS, list.length - 1)).flatMap(word => {
    const stem = word.replace(/(?:est|et|st|en|e|t)$/, '')
    return stem.length < STEM ? [] : [`${particle}${stem}en`, `${particle}${stem}ung`]
  })
}
