import { type Metrics, shownOf } from '../../data/rating.ts'

/** Fields of a conversation by which a list is narrowed. */
export interface Narrowed {
  readonly handoff: boolean
  /** Turns that the agent had nothing for. */
  readonly num_ood: number
  readonly metrics: Metrics
  /** Seconds. */
  readonly total_duration: number
  readonly language: string
}

/** Filters with a choice that the page applies itself, because the server does not know them, with their values. */
export const CHOICES = {
  handoff: ['no', 'yes'],
  answered: ['yes', 'no'],
  rating: ['any', '1', '2', '3', '4', '5'],
  /** Least duration, minutes. */
  longer: ['1', '5', '15', '60'],
} as const

export type Choice = keyof typeof CHOICES

/** Returns the value of a filter in an address; undefined if it is none. */
export const chosen = (name: Choice, filters: Readonly<Record<string, string | undefined>>) =>
  CHOICES[name].find(one => one === filters[name])

/** Reports whether a conversation is as a filter wants it. */
const MEETS: Readonly<Record<Choice, (row: Narrowed, value: string) => boolean>> = {
  handoff: ({ handoff }, value) => handoff === (value === 'yes'),
  answered: ({ num_ood: unanswered }, value) => (unanswered === 0) === (value === 'yes'),
  rating({ metrics }, value) {
    const { score } = shownOf(metrics)
    return value === 'any' ? score !== null : score === value
  },
  longer: ({ total_duration: seconds }, value) => seconds >= Number(value) * 60,
}

const NAMES = Object.keys(CHOICES) as readonly Choice[]

/** Returns the condition that the filters of an address set; null if they set none. */
export function conditionOf(filters: Readonly<Record<string, string>>): ((row: Narrowed) => boolean) | null {
  const language = filters.language?.trim().toLowerCase()
  const conditions: readonly (((row: Narrowed) => boolean) | false)[] = [
    ...NAMES.map(name => {
      const value = chosen(name, filters)
      return value !== undefined && ((row: Narrowed) => MEETS[name](row, value))
    }),
    // "de" is German of every country.
    !!language && (row => `${row.language.toLowerCase()}-`.startsWith(`${language}-`)),
  ]
  const set = conditions.filter(one => one !== false)
  return set.length === 0 ? null : row => set.every(isMet => isMet(row))
}

/** Returns the part of the filters that {@link conditionOf} reads. */
export const ownFilters = (filters: Readonly<Record<string, string>>): readonly (string | undefined)[] =>
  [...NAMES, 'language'].map(name => filters[name])
