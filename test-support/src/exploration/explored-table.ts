import type { Setting } from './canonical.ts'
import type { Explored } from './explore.ts'

const number = (value: number): string => value.toLocaleString('en-GB')

/** One line of the table in `docs/how-it-works/ownership.md`. */
export const exploredRow = ({ name }: Setting, { states, transitions, refusals, depth }: Explored): string =>
  `| ${[name, ...[states, transitions, refusals, depth].map(number)].join(' | ')} |`

/** The table in `docs/how-it-works/ownership.md`: what the exploration has seen, setting by setting. */
export const exploredTable = (rows: readonly string[]): string =>
  ['| | States | Decisions | of them refused | Depth |', '|---|--:|--:|--:|--:|', ...rows].join('\n')
