import { startOf } from '../cut-text.ts'
import { pointerOf } from '../plain-json.ts'
import { REAL_TIME_CONFIG_LIMITS as LIMITS } from './real-time-config.ts'
import type { Failure, Place } from './rule.ts'

/** Characters of one value that a message shows. */
const SHOWN_LENGTH = 100

/** Values that a message lists. */
const SHOWN_VALUES = 10

/** Characters of a reason: as many as all values that it may list. */
const REASON_LENGTH = SHOWN_LENGTH * (SHOWN_VALUES + 2)

const cut = (text: string, length = SHOWN_LENGTH): string =>
  text.length > length ? `${startOf(text, length)}…` : text

/** Returns a value for a message. */
export const shown = (value: unknown): string => cut(JSON.stringify(value))

/** Values for a message, the first of them. */
export function listed(values: readonly unknown[]): string {
  const more = values.length - SHOWN_VALUES
  return values.slice(0, SHOWN_VALUES).map(shown).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function pointerTo(place: Place | null): string {
  const names: string[] = []
  for (let at = place; at !== null; at = at.inside) names.push(at.name)
  return pointerOf(names.reverse())
}

/** Describes the place of a value, and its requirement. */
function describe({ place, propertyName, reason }: Failure): string {
  const pointer = pointerTo(place)
  const at = pointer === '' ? 'the root' : `"${cut(pointer)}"`
  const what = propertyName === null ? '' : `has the name ${shown(propertyName)}, which `
  return `${at} ${what}${cut(reason(), REASON_LENGTH)}`
}

/** Returns the places that these problems stand in front of themselves, as JSON pointers. */
export const placesOf = (problems: readonly string[]): readonly string[] => [
  ...new Set(problems.flatMap(problem => /^"(\/[^"]*)"/.exec(problem)?.[1] ?? [])),
]

/**
 * Returns the places that do not fit, each with its requirement: at most `LIMITS.problems`, and whether there are
 * more.
 */
export function problemsOf(failures: readonly Failure[]): readonly string[] {
  const telling = failures.filter(({ summary }) => !summary)
  const all = [
    ...new Set((telling.length === 0 ? failures : telling).slice(0, LIMITS.problems * 20).map(describe)),
  ]
  const named = all.slice(0, LIMITS.problems)
  return all.length > named.length ? [...named, 'and more'] : named
}
