import { isOfKind, type Kinded, kindOf } from './kinds.ts'
import { shownOf } from './rating.ts'

/** Fields of a conversation by which a list is narrowed. */
export interface Narrowed extends Kinded {
  /** Seconds. */
  readonly total_duration: number
  readonly language: string
}

/** Least durations to which a list can be narrowed, minutes. */
export const DURATIONS = ['1', '5', '15', '60'] as const

/** Ratings to which a list can be narrowed. */
export const RATINGS = ['1', '2', '3', '4', '5'] as const

/** Names of the filters in the address that the page applies itself: the server does not know them. */
const OWN = ['show', 'rating', 'longer', 'language'] as const

/** Returns the condition that the filters of an address set; null if they set none. */
export function conditionOf(filters: Readonly<Record<string, string>>): ((row: Narrowed) => boolean) | null {
  const kind = kindOf(filters.show)
  const rating = RATINGS.find(one => one === filters.rating)
  const longer = DURATIONS.find(one => one === filters.longer)
  const language = filters.language?.trim().toLowerCase()
  const conditions: readonly (((row: Narrowed) => boolean) | false)[] = [
    kind !== undefined && (row => isOfKind(kind, row)),
    rating !== undefined && (row => shownOf(row.metrics).score === rating),
    longer !== undefined && (row => row.total_duration >= Number(longer) * 60),
    // "de" is German of every country.
    !!language && (row => `${row.language.toLowerCase()}-`.startsWith(`${language}-`)),
  ]
  const set = conditions.filter(one => one !== false)
  return set.length === 0 ? null : row => set.every(isMet => isMet(row))
}

/** Returns the part of the filters that {@link conditionOf} reads. */
export const ownFilters = (filters: Readonly<Record<string, string>>): readonly (string | undefined)[] =>
  OWN.map(name => filters[name])
