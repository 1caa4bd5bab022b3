import { rest } from '../../database/lock-waits.ts'
import type { Session } from '../../database/session.ts'
import { unpack } from './interval-chunks.ts'
import { groupBy, type PackingSizes, writeChunks } from './interval-places.ts'
import type { IntervalStatements } from './interval-statements.ts'
import { SPANS, stretchOf, UNPACKED_SPAN } from './spans.ts'

/** Packs the intervals of finished conversations in the background, some at a time. */
export interface IntervalPacking {
  /** A conversation of the scope has finished. */
  finished(scope: number): void
  /** A read has come upon many loose ones of the scope. */
  foundMany(scope: number): void
}

/**
 * Packing is followed by a pause of this many times its own duration, so that a long backlog leaves the process to its
 * visitors.
 */
const REST = 2

/**
 * Scopes whose finished conversations a process counts, the last used ones; one that it forgot is packed somewhat
 * later.
 */
const COUNTED_SCOPES = 10_000

/** Packs the oldest intervals of a class of which many are loose; false when there are few. */
function packSome(
  run: IntervalStatements,
  { chunk, loose }: PackingSizes,
  scope: number,
  span: number,
): boolean {
  if (span === UNPACKED_SPAN) return false
  if (run.looseBeyond.get({ scope, span, many: loose + chunk - 1 }) === undefined) return false
  const oldest = run.oldestLoose.all({ scope, span, limit: chunk })
  const last = oldest.at(-1)
  if (last === undefined) return false
  for (const [stretch, some] of groupBy(oldest, ({ startedAt }) => stretchOf(startedAt))) {
    const short = run.shortChunk.get({ scope, span, stretch, full: chunk })
    if (short !== undefined) run.dropChunk.run({ row: short.row })
    const joined = short === undefined ? some : [...unpack(stretch, short), ...some]
    writeChunks(run, { scope, span, stretch }, joined, chunk)
  }
  run.dropLooseUntil.run({ scope, span, startedAt: last.startedAt, conversation: last.conversation })
  return true
}

/**
 * Packs when as many conversations of a scope have finished as fill a chunk. It runs in the background. What is not
 * packed is found all the same, so what fails here (the file is locked, the store is closed) is left to the next time.
 */
export function createIntervalPacking(
  { write }: Session,
  run: IntervalStatements,
  sizes: PackingSizes,
): IntervalPacking {
  /** How many have finished since they were last packed, by scope. */
  const finished = new Map<number, number>()
  const packing = new Map<number, Promise<void>>()

  const pack = async (scope: number): Promise<void> => {
    let more = true
    while (more) {
      let took = 0
      more = await write('pack intervals', () => {
        const began = performance.now()
        const some = SPANS.some(({ span }) => packSome(run, sizes, scope, span))
        took = performance.now() - began
        return some
      })
      if (more) await rest(took * REST)
    }
  }

  const start = (scope: number): void => {
    if (packing.has(scope)) return
    const ended = (): void => {
      packing.delete(scope)
    }
    packing.set(scope, pack(scope).then(ended, ended))
  }

  return {
    finished(scope) {
      const count = (finished.get(scope) ?? 0) + 1
      finished.delete(scope)
      if (count < sizes.chunk) finished.set(scope, count)
      else start(scope)
      const [longestAgo] = finished.keys()
      if (finished.size > COUNTED_SCOPES && longestAgo !== undefined) finished.delete(longestAgo)
    },
    foundMany: start,
  }
}
