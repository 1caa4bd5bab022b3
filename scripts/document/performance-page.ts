import { FRAMEWORKS } from '../../bench/table/framework-rows.ts'
import { judge } from '../../bench/table/goal.ts'
import { GOALS } from '../../bench/table/goals.ts'
import { readLatest, type Section } from '../../bench/table/kept.ts'
import { GOAL_HEADS, goalCells } from '../../bench/table/print.ts'
import { shown } from '../../bench/table/result.ts'
import { MADE, table } from './table.ts'

const INTRO = `# Performance

${MADE}
Its figures are those of \`bench/results/latest.json\`, which \`npm run bench -- --keep\` writes; \`npm run bench -- messaging --keep\` renews one bench.

Each figure is the median of its rounds, with the least and the most. A server has one core and its load another, where the system can tie them; each round has fresh processes, and
the variants of a row take turns, so that only figures of one bench should be compared. Times of the clock swing with what else a machine does; CPU per operation is the steadiest figure.
The *limit* is the least that can serve the same protocol, written for the bench: it keeps all events in memory and sends what a turn of the event loop brings with one write a
socket. A *peer* is what others would use. The project runs as it was built, over SQLite with \`synchronous=FULL\`, with everything on that a host has by default but for limits on requests.
A *stall* is the longest turn of the event loop by the clock: from one \`setImmediate\` to the next, in a process that always has one due. Nothing else in the process waits longer than that for
its turn. \`npm run bench -- replays\` also prints the longest turn by processor time, which grows less with what else the machine does.
The rows of *stalls* that are kept here are older: they were sampled every 5 ms.

Frames of a call are late at the caller, who began to play with the first one. Over WebRTC the callers decrypt on one core, so some of that is theirs: what is the
server's is measured where it hands packets to its UDP socket, by the clock of each call.
`

const GOALS_HEAD = `## Goals

What each row must reach, what it aims at, and which of them it has reached.
`

const FRAMEWORKS_HEAD = `## What the frameworks do

The bench \`frameworks\` asks each for the same: a visitor's line in, an answer of 200 characters out, both on disk with
\`synchronous=FULL\`. There are 20 earlier lines, the newest 40 go to the model, and that answers at once. All else is
as each does by default. A real model takes a second: beside that, all of this is small.
`

const about = ({ measuredAt, commit, machine, versions, load }: Section): string =>
  [
    `Measured on ${measuredAt.slice(0, 10)} at commit ${commit}: ${machine.cores} cores of ${machine.cpu}, `,
    `${machine.memoryGiB} GiB, ${machine.platform}; `,
    `${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}.\n`,
    load === undefined
      ? ''
      : `Load average: ${load.before} before it began, ${load.over} over its last 15 minutes, the bench itself included.\n`,
  ].join('')

const section = (name: string, kept: Section): string =>
  [
    `## Bench: ${name}\n`,
    about(kept),
    table(
      ['Row', 'Variant', 'Median', 'Least', 'Most', 'Unit'],
      kept.results.map(({ row, variant, median, min, max, unit }) => [
        ...[row, variant, shown(median), shown(min), shown(max), unit],
      ]),
    ),
  ].join('\n')

/** The page with the goals, and all figures that are kept. */
export function performancePage(): string {
  const { benches } = readLatest()
  const results = Object.values(benches).flatMap(kept => kept.results)
  const goals = GOALS.map(goal => goalCells(judge(goal, results)))
  return [
    INTRO,
    GOALS_HEAD,
    table(GOAL_HEADS, goals),
    FRAMEWORKS_HEAD,
    table(
      ['Subject', 'At a turn it does besides', 'It does not do'],
      Object.values(FRAMEWORKS).map(({ title, more, less }) => [title, more, less]),
    ),
    ...Object.entries(benches).map(([name, kept]) => section(name, kept)),
  ].join('\n')
}
