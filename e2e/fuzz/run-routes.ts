import type { Target } from './child.ts'
import { flood } from './flood.ts'
import { fuzzRoutes, type RouteFigures } from './fuzz-routes.ts'
import type { MemoryFigures } from './memory.ts'
import { queueVisitor } from './visitors.ts'

/** Rounds after which caches are full and code has run: memory is compared from there on. */
const WARM_UP = 3

/** Small requests at the end: what each of them left behind would add up. */
const FLOOD = 9_000

export interface RouteRun extends RouteFigures {
  readonly memory: MemoryFigures
  /** Statuses of the answers to the small requests at the end. */
  readonly flooded: readonly number[]
  /** Everything of the other account is as it was. */
  readonly otherUntouched: boolean
  readonly rounds: number
}

export interface RouteRunOptions {
  readonly seed: number
  /** Asked after each round: true for one more. */
  goOn(round: number): boolean
}

/** Fuzzes a server's routes, with visitors waiting in the queue so that the desk has something to do. */
export async function runRoutes(given: Target, { seed, goOn }: RouteRunOptions): Promise<RouteRun> {
  const waiting = await queueVisitor(given.world, given.world.other, 'MARKER-OF-THE-OTHER-ACCOUNT')
  // Nobody else may be told of that visitor.
  const other = { ...given.world.other, private: [...given.world.other.private, waiting] }
  const target = { ...given, world: { ...given.world, other } }
  const { world } = target
  const before = await target.memory()
  const untouched = await target.snapshot()
  const isUntouched = async () => (await target.snapshot().catch(String)) === untouched
  let warm = before
  let rounds = 0
  const figures = await fuzzRoutes({
    target,
    seed,
    goOn: round => round <= WARM_UP || goOn(round),
    async prepare(_, round) {
      rounds = round + 1
      if (round === WARM_UP) warm = await target.memory()
      for (let visitor = 0; visitor < 3; visitor++) await queueVisitor(world, world.own, 'own words')
    },
  })
  const flooded = await flood(world, FLOOD)
  const memory = { before, warm, after: await target.memory() }
  return { ...figures, memory, flooded, rounds, otherUntouched: await isUntouched() }
}
