import { type Metrics, shownOf } from '../../data/rating.ts'
import type { Range } from './series.ts'

/** Fields of a conversation that the figures over time are counted from. */
export interface Counted {
  readonly handoff: boolean
  readonly handoff_destination: string
  readonly deployment_id: string
  readonly project_id: string
  /** Topics that its turns rest on. Left out: it began before they were kept. */
  readonly topics?: readonly string[]
  readonly metrics: Metrics
}

/** Groups by which figures are shown. */
export const GROUPS = ['all', 'agent', 'version', 'topic', 'queue'] as const
export type Group = (typeof GROUPS)[number]

/** The figures of a group in one span. */
export interface Cell {
  readonly count: number
  /** Mean of the visitors' ratings, 1 to 5. Null without any. */
  readonly rating: number | null
  /** Share without a handoff, 0 to 1. Of a queue: its share of all conversations of the span. */
  readonly share: number
}

/** A group with its figures, span by span. Null for a span without conversations of the group. */
export interface Line {
  /** Empty for all together. */
  readonly name: string
  readonly cells: readonly (Cell | null)[]
}

/** The most groups that are shown: those with most conversations. */
const MOST = 4

/** The days of a step, and the longest range in days that has steps of it. A longer one would ask too much at once. */
const STEPS = [
  { name: 'day', days: 1, longest: 14 },
  { name: 'week', days: 7, longest: 120 },
  { name: 'month', days: 28, longest: Number.POSITIVE_INFINITY },
] as const

const DAY = 86_400_000

/** Returns the days, weeks or four weeks of a range, oldest first, from midnight by the person's own clock. */
export function stepsOf({ start, end }: Range): {
  readonly step: (typeof STEPS)[number]['name']
  readonly steps: readonly Range[]
} {
  const { days, name } = STEPS.find(({ longest }) => end - start <= longest * DAY) ?? STEPS[2]
  const first = new Date(start)
  const midnight = (step: number): number =>
    new Date(first.getFullYear(), first.getMonth(), first.getDate() + step * days).getTime()
  const steps: Range[] = []
  for (let step = 0; midnight(step) < end; step++)
    steps.push({ start: Math.max(start, midnight(step)), end: Math.min(end, midnight(step + 1)) })
  return { step: name, steps }
}

/** The names of the groups that a conversation is in: none, one, or as many as it has topics. */
const namesIn: Readonly<Record<Group, (one: Counted) => readonly string[]>> = {
  all: () => [''],
  agent: one => [one.project_id],
  version: one => (one.deployment_id ? [one.deployment_id] : []),
  topic: ({ topics = [] }) => topics,
  queue: one => (one.handoff && one.handoff_destination ? [one.handoff_destination] : []),
}

function cellOf(rows: readonly Counted[], all: number, group: Group): Cell | null {
  if (rows.length === 0) return null
  const scores = rows.flatMap(({ metrics }) => shownOf(metrics).score ?? []).map(Number)
  const part = group === 'queue' ? rows.length : rows.filter(({ handoff }) => !handoff).length
  return {
    count: rows.length,
    rating: scores.length === 0 ? null : scores.reduce((sum, one) => sum + one, 0) / scores.length,
    share: part / (group === 'queue' ? all : rows.length),
  }
}

/** Returns the groups with most conversations, by name, with their figures in each span. */
export function linesOf(spans: readonly (readonly Counted[])[], group: Group): readonly Line[] {
  const counts = new Map<string, number>()
  for (const row of spans.flat())
    for (const name of namesIn[group](row)) counts.set(name, (counts.get(name) ?? 0) + 1)
  const names = [...counts]
    .toSorted(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1))
    .slice(0, MOST)
    .map(([name]) => name)
    .toSorted()
  return names.map(name => ({
    name,
    cells: spans.map(rows =>
      cellOf(
        rows.filter(row => namesIn[group](row).includes(name)),
        rows.length,
        group,
      ),
    ),
  }))
}

/** Returns the strokes of a line: points of 0 to 1 that follow each other without a gap. */
export function strokesOf(
  values: readonly (number | null)[],
): readonly (readonly (readonly [number, number])[])[] {
  const strokes: [number, number][][] = [[]]
  for (const [at, value] of values.entries()) {
    if (value === null) strokes.push([])
    else strokes.at(-1)?.push([values.length === 1 ? 0.5 : at / (values.length - 1), value])
  }
  return strokes.filter(({ length }) => length > 0)
}
