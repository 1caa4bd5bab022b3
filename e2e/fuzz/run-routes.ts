import type { Target } from './child.ts'
import { fuzzRoutes, type RouteFigures } from './fuzz-routes.ts'
import { queueVisitor } from './visitors.ts'

/** Rounds after which caches are warm and code is compiled: heaps are compared from there on. */
const WARM_UP = 2

/** Bytes of the heap, garbage aside. */
export interface HeapFigures {
  readonly before: number
  readonly warm: number
  readonly after: number
}

export interface RouteRun extends RouteFigures {
  readonly heap: HeapFigures
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
export async function runRoutes(target: Target, { seed, goOn }: RouteRunOptions): Promise<RouteRun> {
  const { world } = target
  await queueVisitor(world, world.other, 'MARKER-OF-THE-OTHER-ACCOUNT')
  const before = await target.heap()
  const untouched = await target.snapshot()
  let warm = before
  let rounds = 0
  const figures = await fuzzRoutes({
    target,
    seed,
    goOn: round => round <= WARM_UP || goOn(round),
    async prepare(_, round) {
      rounds = round + 1
      if (round === WARM_UP) warm = await target.heap()
      for (let visitor = 0; visitor < 3; visitor++) await queueVisitor(world, world.own, 'own words')
    },
  })
  const heap = { before, warm, after: await target.heap() }
  return { ...figures, heap, rounds, otherUntouched: (await target.snapshot()) === untouched }
}
