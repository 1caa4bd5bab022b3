import { buildWhatIsOld } from '../scripts/build.ts'
import { Pair, type Scripts, withMessagingScripts } from './messaging/pair.ts'
import {
  against,
  type Figure,
  MESSAGING_ROW,
  ratioOf,
  SERVERS,
  SESSIONS,
  type ServerName,
  UNITS,
} from './table/messaging-rows.ts'
import type { BenchOptions } from './table/options.ts'
import { type Result, resultOf } from './table/result.ts'

const NAMES = ['project', 'limit', 'log', 'socketIo'] as const

const FIGURES = ['perSecond', 'cpu', 'p99', 'setUps', 'replay', 'violations'] as const

const START: Readonly<Record<ServerName, readonly [script: keyof Scripts, argument: string | null]>> = {
  project: ['project', null],
  limit: ['limit', 'memory'],
  log: ['limit', 'log'],
  socketIo: ['socketIo', null],
}

/** Figures of one round of a server. A figure is missing if the server lacks the feature. */
type Round = Readonly<Partial<Record<Figure, number>>>

/** Ratios that the goals use. */
const RATIOS: readonly (readonly [Figure, against: ServerName])[] = [
  ['perSecond', 'limit'],
  ['perSecond', 'socketIo'],
  ['cpu', 'limit'],
  ['cpu', 'socketIo'],
  ['p99', 'limit'],
  ['setUps', 'socketIo'],
  ['replay', 'log'],
]

async function measure(scripts: Scripts, server: ServerName, seconds: number): Promise<Round> {
  const [script, argument] = START[server]
  const pair = await Pair.start({ server: scripts[script], load: scripts.load }, argument, SESSIONS)
  const setUps = await pair.setUp()
  const talk = await pair.talk(1, seconds)
  const replay = server === 'socketIo' ? {} : { replay: await pair.replay() }
  const found = await pair.stop()
  const violations = Object.values(found).reduce((sum, count) => sum + count, 0)
  if (violations > 0) console.error(`${SERVERS[server]}: ${JSON.stringify(found)}`)
  return {
    ...{ perSecond: talk.turnsPerSecond, cpu: talk.cpuMicroseconds, p99: talk.p99Milliseconds },
    ...{ setUps, ...replay, violations },
  }
}

const figuresOf = (rounds: readonly Round[], figure: Figure): readonly number[] =>
  rounds.flatMap(round => round[figure] ?? [])

function resultsOf(rounds: Readonly<Record<ServerName, readonly Round[]>>): readonly Result[] {
  const all = NAMES.flatMap(name =>
    FIGURES.flatMap(figure => {
      const values = figuresOf(rounds[name], figure)
      return values.length === 0
        ? []
        : resultOf({ row: MESSAGING_ROW, variant: SERVERS[name], unit: UNITS[figure] }, values)
    }),
  )
  const ratios = RATIOS.map(([figure, other]) => {
    const others = figuresOf(rounds[other], figure)
    const values = figuresOf(rounds.project, figure).map((own, round) => own / (others[round] ?? Number.NaN))
    return resultOf({ row: MESSAGING_ROW, variant: against(other), unit: ratioOf(figure) }, values)
  })
  return [...all, ...ratios]
}

/**
 * Durable turns over sockets: message, echo, thinking, reply, as fast as each of so many visitors can. The server has
 * one core, the load the other; every round of a server has fresh processes and a file of its own, and the order of
 * servers moves on from round to round.
 */
export async function measureMessaging({
  rounds = 5,
  seconds = 3,
}: BenchOptions): Promise<readonly Result[]> {
  await buildWhatIsOld()
  const found: Record<ServerName, Round[]> = { project: [], limit: [], log: [], socketIo: [] }
  await withMessagingScripts(async scripts => {
    for (let round = 0; round < rounds; round++)
      for (const index of NAMES.keys()) {
        const name = NAMES[(index + round) % NAMES.length] ?? 'project'
        found[name].push(await measure(scripts, name, seconds))
      }
  })
  return resultsOf(found)
}
