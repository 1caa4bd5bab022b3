import { DAYS_BEFORE } from './days.ts'

/** Conversations from which the server draws at random if there are more. */
export const SAMPLE = 500

/** Sums over the conversations of a range, as far as figures need them. */
export interface Sums {
  readonly conversations: number
  /** Turns in which a visitor said something. */
  readonly turns: number
  /** Turns that the agent had nothing for. */
  readonly unknown: number
  readonly handoffs: number
  /** Ratings of visitors, 1 to 5. */
  readonly ratings: readonly number[]
}

/** Names of the figures, in the order in which they are shown. */
export const FIGURES = ['conversations', 'contained', 'handoffs', 'rating', 'unanswered'] as const
export type FigureName = (typeof FIGURES)[number]

/** A figure of a day beside that of the week before. */
export interface Figure {
  readonly name: FigureName
  readonly unit: 'count' | 'share' | 'score'
  /** Null without anything to count. */
  readonly value: number | null
  /** The same of the week before, a day; null if it is not known. */
  readonly before: number | null
  /** Whether there may be more than `value`, because it is of a sample. */
  readonly isLeast: boolean
  /** Difference as it is shown: of counts a share of the count before, else the difference. Null without both. */
  readonly change: number | null
  /** Meaning of the change. */
  readonly tone: 'good' | 'bad' | 'plain'
}

const isSample = ({ conversations }: Sums): boolean => conversations >= SAMPLE

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

const mean = (values: readonly number[]): number | null =>
  share(
    values.reduce((sum, one) => sum + one, 0),
    values.length,
  )

/** Direction in which a figure is better: 1 if more is, -1 if less is. */
const BETTER = { conversations: 0, contained: 1, handoffs: -1, rating: 1, unanswered: -1 } as const

const UNIT = {
  ...{ conversations: 'count', contained: 'share', handoffs: 'count' },
  ...{ rating: 'score', unanswered: 'share' },
} as const satisfies Record<FigureName, Figure['unit']>

/** Smallest change that is shown as one, by unit: a tenth of what is read off a figure. */
const LEAST = { count: 0.005, share: 0.0005, score: 0.05 } as const

function changeOf(unit: Figure['unit'], value: number | null, before: number | null): number | null {
  if (value === null || before === null) return null
  if (unit === 'count') return before === 0 ? null : value / before - 1
  return value - before
}

/** Returns a figure of a range; null if there is nothing that it is of. */
function figureOf(
  name: FigureName,
  { conversations, turns, unknown, handoffs, ratings }: Sums,
): number | null {
  switch (name) {
    case 'conversations':
      return conversations
    case 'contained':
      return share(conversations - handoffs, conversations)
    case 'handoffs':
      return handoffs
    case 'rating':
      return mean(ratings)
    case 'unanswered':
      return share(unknown, turns)
  }
}

/** Returns the figures of a day beside the seven days before it. Counts are those of an average day. */
export function figuresOf(day: Sums, before: Sums): readonly Figure[] {
  return FIGURES.map(name => {
    const unit = UNIT[name]
    const isCount = unit === 'count'
    const value = figureOf(name, day)
    const whole = isCount && isSample(before) ? null : figureOf(name, before)
    const then = whole === null ? null : isCount ? whole / DAYS_BEFORE : whole
    const change = isCount && isSample(day) ? null : changeOf(unit, value, then)
    const isChanged = change !== null && Math.abs(change) >= LEAST[unit]
    const direction = isChanged ? Math.sign(change) * BETTER[name] : 0
    return {
      ...{ name, unit, value, before: then, change: isChanged ? change : change === null ? null : 0 },
      isLeast: isCount && isSample(day),
      tone: direction === 0 ? 'plain' : direction > 0 ? 'good' : 'bad',
    }
  })
}
