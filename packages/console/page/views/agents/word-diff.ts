import { diffWordsWithSpace } from 'diff'
import { say } from './texts.ts'

/** A stretch of a text, and whether the other text has it too. */
export interface Part {
  readonly text: string
  readonly isSame: boolean
}

const indented = (text: string): string => text.replaceAll('\n', '\n  ')

const named = (name: string, text: string): string =>
  text.includes('\n') ? `${name}:\n  ${indented(text)}` : `${name}: ${text}`

/** Returns a value of an agent's content as people read it: a line for each thing in it. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return say(value ? 'yes' : 'no')
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return value.map(one => `– ${indented(textOf(one))}`).join('\n')
  return Object.entries(value)
    .map(([name, one]) => named(name, textOf(one)))
    .join('\n')
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
