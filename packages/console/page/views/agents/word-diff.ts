import { diffWordsWithSpace } from 'diff'

/** A stretch of a text, and whether the other text has it too. */
export interface Part {
  readonly text: string
  readonly isSame: boolean
}

/** Texts above this many characters in all are shown as wholly different: finding out would hold the page up. */
const LONGEST = 100_000

/** Both texts in stretches: those that they share, and those that only one has. */
export function wordDiff(before: string, after: string): readonly [readonly Part[], readonly Part[]] {
  if (before.length + after.length > LONGEST) {
    const isSame = before === after
    return [[{ text: before, isSame }], [{ text: after, isSame }]]
  }
  const parts = diffWordsWithSpace(before, after)
  const side = (other: 'added' | 'removed'): readonly Part[] =>
    parts
      .filter(part => !part[other])
      .map(({ value, added, removed }) => ({ text: value, isSame: !added && !removed }))
  return [side('added'), side('removed')]
}
