import { type Judged, judge } from './goal.ts'
import { GOALS } from './goals.ts'
import { type Result, shown } from './result.ts'

const range = ({ median, min, max }: Result): string => `${shown(median)} (${shown(min)} to ${shown(max)})`

/** Prints results, row by row: median, least and most. */
export function printResults(results: readonly Result[]): void {
  let title = ''
  for (const result of results) {
    if (result.row !== title) console.log(`\n${result.row}: median (least to most)`)
    title = result.row
    console.log(`  ${result.variant.padEnd(62)} ${range(result).padStart(30)} ${result.unit}`)
  }
}

const bound = (more: boolean, value: number | undefined): string =>
  value === undefined ? '–' : `${more ? '≥' : '≤'} ${value}`

/** A row of the table of goals, as texts: all that the page and the console show. */
export const goalCells = ({ goal, project, peer, limit, judged, verdict }: Judged): readonly string[] => [
  goal.title,
  project === null ? '–' : `${shown(project.median)} ${project.unit}`,
  peer === null ? '–' : shown(peer.median),
  limit === null ? '–' : shown(limit.median),
  judged === null ? '–' : range(judged),
  bound(goal.more, goal.must),
  bound(goal.more, goal.aim),
  verdict,
  goal.bench,
]

/** Headings of the columns of {@link goalCells}. */
export const GOAL_HEADS = [
  'Row',
  'Colloquy',
  'Peer',
  'Limit',
  'Judged (least to most)',
  'Must',
  'Aim',
  'Reached',
  'Bench',
]

/** Prints the goals of which these results say something. */
export function printGoals(results: readonly Result[]): void {
  const rows = GOALS.map(goal => judge(goal, results)).filter(({ verdict }) => verdict !== 'not measured')
  if (rows.length === 0) return
  const lines = [GOAL_HEADS, ...rows.map(goalCells)]
  const widths = GOAL_HEADS.map((_, column) => Math.max(...lines.map(line => line[column]?.length ?? 0)))
  console.log('\nGoals')
  for (const line of lines)
    console.log(line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
}
