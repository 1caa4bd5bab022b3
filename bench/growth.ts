import * as z from 'zod'
import { buildWhatIsOld } from '../scripts/build.ts'
import { CORE, startChild, withScripts } from './child.ts'
import { median } from './median.ts'
import { Pair, withMessagingScripts } from './messaging/pair.ts'
import { ACTIVE, HISTORY, historyRow, MOMENT, REPLAYS, sessionsRow } from './table/growth-rows.ts'
import type { BenchOptions } from './table/options.ts'
import { type Result, resultOf } from './table/result.ts'

const HISTORY_SCRIPT = 'messaging/history.ts'

/** Windows of turns of which one figure of a round is the median. */
const WINDOWS = 15

const SESSIONS_OF_REPLAY = 100
/** Each keeps two events. */
const TURNS_OF_REPLAY = 500

const variant = 'Colloquy'
const unit = 'CPU µs/turn'

/** Each size's figures, and the same over those of the size that is compared with. */
function resultsOf<Size extends number>(
  figures: ReadonlyMap<Size, readonly number[]>,
  rowOf: (size: Size) => string,
  { base, called }: { readonly base: Size; readonly called: string },
): readonly Result[] {
  const of = figures.get(base) ?? []
  return [...figures].flatMap(([size, values]) => {
    const row = rowOf(size)
    const own = resultOf({ row, variant, unit }, values)
    if (size === base) return own
    const ratios = values.map((value, round) => value / (of[round] ?? Number.NaN))
    return [own, resultOf({ row, variant: `against ${called}`, unit: `× ${unit}` }, ratios)]
  })
}

/**
 * Turns of conversations that are short, long and very long, in one process, window by window in turn. They grow to
 * their lengths once, which takes longer than all rounds.
 */
async function measureHistory(rounds: number): Promise<readonly Result[]> {
  const figures = new Map<(typeof HISTORY)[number], number[]>(HISTORY.map(turns => [turns, []]))
  await withScripts([HISTORY_SCRIPT], async madeOf => {
    const child = await startChild(madeOf(HISTORY_SCRIPT), null, CORE.server)
    const measure = async (turns: number): Promise<number> => z.number().parse(await child.ask(turns))
    // The first of each length warms up.
    for (const turns of HISTORY) await measure(turns)
    for (let round = 0; round < rounds; round++) {
      const windows = HISTORY.map((): number[] => [])
      for (let window = 0; window < WINDOWS; window++)
        for (const [index, turns] of HISTORY.entries()) windows[index]?.push(await measure(turns))
      for (const [index, turns] of HISTORY.entries()) figures.get(turns)?.push(median(windows[index] ?? []))
    }
    await child.stop()
  })
  return resultsOf(figures, historyRow, { base: HISTORY[0], called: `the ${HISTORY[0]}th` })
}

/** Turns of few and of many sessions that all talk, over sockets. */
async function measureSessions(rounds: number, seconds: number): Promise<readonly Result[]> {
  const figures = new Map<(typeof ACTIVE)[number], number[]>(ACTIVE.map(sessions => [sessions, []]))
  const violations: number[] = []
  await withMessagingScripts(async ({ project, load }) => {
    for (let round = 0; round < rounds; round++)
      for (const index of ACTIVE.keys()) {
        const sessions = ACTIVE[(index + round) % ACTIVE.length] ?? ACTIVE[0]
        const pair = await Pair.start({ server: project, load }, null, sessions)
        await pair.setUp()
        // Each of ten thousand has had a turn or two before the measuring begins.
        const { cpuMicroseconds } = await pair.talk(sessions < 10_000 ? 3 : 6, seconds)
        figures.get(sessions)?.push(cpuMicroseconds)
        violations.push(sum(await pair.stop()))
      }
  })
  return [
    ...resultsOf(figures, sessionsRow, { base: 100, called: '100' }),
    resultOf({ row: sessionsRow(ACTIVE[3]), variant, unit: 'violations' }, violations),
  ]
}

const sum = (found: Readonly<Record<string, number>>): number =>
  Object.values(found).reduce((total, count) => total + count, 0)

/** Measures the delay of the event loop while sessions get long histories, all of them at once. */
async function measureReplays(rounds: number): Promise<readonly Result[]> {
  const found: { readonly p99: number; readonly longest: number }[] = []
  const violations: number[] = []
  await withMessagingScripts(async ({ project, load }) => {
    for (let round = 0; round < rounds; round++) {
      const pair = await Pair.start({ server: project, load }, null, SESSIONS_OF_REPLAY)
      await pair.setUp()
      await pair.talkUntil(TURNS_OF_REPLAY)
      found.push(await pair.delayOfReplay())
      violations.push(sum(await pair.stop()))
    }
  })
  const row = REPLAYS
  return [
    resultOf(
      { row, variant, unit: MOMENT },
      found.map(({ p99 }) => p99),
    ),
    resultOf(
      { row, variant, unit: 'ms, longest delay' },
      found.map(({ longest }) => longest),
    ),
    resultOf({ row, variant, unit: 'violations' }, violations),
  ]
}

/** Measures growth with the length of a conversation, the number of sessions, and the length of a replay. */
export async function measureGrowth({ rounds = 3, seconds = 5 }: BenchOptions): Promise<readonly Result[]> {
  await buildWhatIsOld()
  return [
    ...(await measureHistory(rounds)),
    ...(await measureSessions(rounds, seconds)),
    ...(await measureReplays(rounds)),
  ]
}
