import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants'
import type { DeskOutcome } from './desk-outcome.ts'
import { median } from './waiting-line.ts'

/** Figures of visitors who waited, and of talks with them. Times are milliseconds. */
export interface DeskFigures {
  /** Visitors to whom a live agent came. */
  readonly answered: number
  /** Those of them who waited no longer than was asked for. */
  readonly answeredWithin: number
  /** Visitors who left before a live agent came. */
  readonly abandoned: number
  /** Visitors to whom nobody came for another reason. */
  readonly unanswered: number
  /** The median wait of visitors to whom a live agent came; null without any. */
  readonly medianWait: number | null
  /** The longest wait of anyone; null without any. */
  readonly longestWait: number | null
  /** Talks that have ended, for the live agent who had them. */
  readonly handled: number
  /** The median time of these talks; null without any. */
  readonly medianHandling: number | null
  /** The time of these talks together. */
  readonly totalHandling: number
  /** Offers of visitors that live agents have declined. */
  readonly declined: number
}

/** Returns the figures of some outcomes. */
export function figuresOf(outcomes: readonly DeskOutcome[], within: number): DeskFigures {
  const of = (type: DeskOutcome['type']): readonly number[] =>
    outcomes.filter(one => one.type === type).map(({ lasted }) => lasted)
  const [answered, abandoned, unanswered, handled] = [
    ...[of('answered'), of('abandoned'), of('unanswered'), of('handled')],
  ] as const
  const waits = [...answered, ...abandoned, ...unanswered]
  return {
    answered: answered.length,
    answeredWithin: answered.filter(lasted => lasted <= within).length,
    abandoned: abandoned.length,
    unanswered: unanswered.length,
    medianWait: answered.length === 0 ? null : median(answered),
    longestWait: waits.length === 0 ? null : waits.reduce((most, one) => Math.max(most, one), 0),
    handled: handled.length,
    medianHandling: handled.length === 0 ? null : median(handled),
    totalHandling: handled.reduce((sum, one) => sum + one, 0),
    declined: of('declined').length,
  }
}

const byKey = (
  outcomes: readonly DeskOutcome[],
  keyOf: (outcome: DeskOutcome) => string | null,
): readonly (readonly [string, readonly DeskOutcome[]])[] => {
  const groups = new Map<string, DeskOutcome[]>()
  for (const outcome of outcomes) {
    const key = keyOf(outcome)
    if (key === null) continue
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [outcome])
    else group.push(outcome)
  }
  return [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1))
}

/** Returns the figures of each queue, by its name. */
export const figuresByQueue = (outcomes: readonly DeskOutcome[], within: number) =>
  byKey(outcomes, ({ queueName }) => queueName).map(([queueName, own]) => ({
    queueName,
    ...figuresOf(own, within),
  }))

/** Returns the figures of each live agent, by id. The name is the one they had last. @param outcomes newest first */
export const figuresByLiveAgent = (outcomes: readonly DeskOutcome[], within: number) =>
  byKey(outcomes, ({ liveAgent }) => liveAgent?.id ?? null).map(([id, own]) => ({
    liveAgent: { id, name: own[0]?.liveAgent?.name ?? id },
    ...figuresOf(own, within),
  }))

/** A span up to which figures are told by the hour, milliseconds. */
const BY_HOUR = 2 * millisecondsInDay

/** Returns the counts of each hour of a span of up to two days, or of each day of a longer one, oldest first. */
export function figuresByTime(
  outcomes: readonly DeskOutcome[],
  { from, to }: { readonly from: number; readonly to: number },
) {
  const step = to - from <= BY_HOUR ? millisecondsInHour : millisecondsInDay
  const spans = Array.from({ length: Math.ceil((to - from) / step) }, (_, place) => ({
    ...{ from: from + place * step, answered: 0, abandoned: 0, unanswered: 0, handled: 0 },
  }))
  for (const { at, type } of outcomes) {
    const span = spans[Math.floor((at - from) / step)]
    if (span !== undefined && type !== 'declined') span[type]++
  }
  return spans
}
