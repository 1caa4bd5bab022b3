import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants'
import { publicId } from '../../domain/conversation/conversation-key.ts'
import type { Embedder } from '../../ports/embedder.ts'
import type { TurnClaim } from '../../ports/store/turn-vectors.ts'
import type { Context } from '../context.ts'
import { createSweep } from '../shared/sweep.ts'
import { doesPlainText, embedTurns } from './embed-turns.ts'

/** The time that a claim lasts beyond two requests to the embedder, milliseconds. */
const LEASE_MARGIN = 5_000
/** The time that turns wait before it is logged, and the time between two such entries, milliseconds. */
const REPORT_INTERVAL = millisecondsInMinute
/**
 * The vectors of another embedder are removed when it was unused for this long; how often that is checked,
 * milliseconds; and turns per step.
 */
const UNUSED_AFTER = millisecondsInHour
const FORGET_INTERVAL = millisecondsInMinute
const FORGET_BATCH = 500

/** Embeds turns in the background. */
export interface TurnEmbedder {
  /** Releases the turns it is embedding, and claims no more. */
  stop(): Promise<void>
}

/** Logs when turns wait for long, and when all are embedded (RC49). */
function createProgress({ clock, log }: Context, embedder: Embedder) {
  let since: number | null = null
  let reportAt = 0
  let turns = 0
  return {
    embedded(count: number, more: boolean): void {
      const now = clock.monotonic()
      turns += count
      if (!more) {
        if (since !== null) log.info('Turns are embedded.', { embedder: embedder.id, turns })
        since = null
        turns = 0
      } else if (since === null) {
        since = clock.now()
        reportAt = now + REPORT_INTERVAL
      } else if (now >= reportAt) {
        log.warn('Turns wait to be embedded.', { embedder: embedder.id, embedded: turns, since })
        reportAt = now + REPORT_INTERVAL
      }
    },
  }
}

/** Embeds what is claimed, a batch at a time; after a failure a single turn, then twice as many each time (RC47). */
function createBatches(context: Context, embedder: Embedder, signal: AbortSignal) {
  const { clock, log, settings, store } = context
  const { batchTimeout, batchTurns } = settings.semanticSearch
  const ports = { embedder, clock, settings }
  const progress = createProgress(context, embedder)
  let size = batchTurns
  /** The turn that failed last when it was alone. */
  let suspect: number | null = null

  async function keep(
    { claim, turns, more }: TurnClaim,
    vectors: Parameters<typeof store.conversations.turnVectors.keep>[2],
  ) {
    await store.conversations.turnVectors.keep(embedder.id, claim, vectors)
    progress.embedded(turns.length, more)
    size = Math.min(size * 2, batchTurns)
  }

  /** Handles a failure. Returns whether to go on at once: no when the embedder fails for everything. */
  async function failed(claim: TurnClaim, error: unknown): Promise<boolean> {
    const { turns } = claim
    const [alone] = turns.length === 1 ? turns : []
    const isAtFault = !signal.aborted && (await doesPlainText(ports, signal))
    if (isAtFault && alone !== undefined && alone.turn === suspect) {
      log.warn('A turn is passed over.', {
        embedder: embedder.id,
        conversation: publicId(alone.conversationId),
        error,
      })
      await keep(claim, [])
      return true
    }
    await store.conversations.turnVectors.release(embedder.id, claim.claim)
    if (!isAtFault) {
      if (!signal.aborted) log.warn('Turns could not be embedded.', { embedder: embedder.id, error })
      return false
    }
    suspect = alone?.turn ?? suspect
    size = 1
    return true
  }

  return {
    /**
     * Embeds one batch. Returns `more` if others wait, `none` if none is left, or `failed` if the embedder has failed.
     */
    async next(): Promise<'more' | 'none' | 'failed'> {
      const now = clock.now()
      const until = now + 2 * batchTimeout + LEASE_MARGIN
      const claim = await store.conversations.turnVectors.claim(embedder.id, size, now, until)
      if (claim === null) return 'none'
      const vectors = await embedTurns(ports, claim.turns, signal).catch((error: unknown) => ({ error }))
      if ('error' in vectors) return (await failed(claim, vectors.error)) ? 'more' : 'failed'
      await keep(claim, vectors)
      return claim.more ? 'more' : 'none'
    },
  }
}

/**
 * Embeds turns that have no vectors of the context's embedder, newest first (RC47). Several processes may do this over
 * one store: a claim gives each turn to one of them.
 * Without an embedder it does nothing.
 */
export function startTurnEmbedder(context: Context): TurnEmbedder {
  const { clock, embedder, settings, store } = context
  if (embedder === null) return { stop: async () => undefined }
  const { id } = embedder
  const { retryAfter } = settings.semanticSearch
  const controller = new AbortController()
  const { signal } = controller
  const batches = createBatches(context, embedder, signal)

  const forget = createSweep(clock, FORGET_INTERVAL, () =>
    store.conversations.turnVectors.remove(id, clock.now() - UNUSED_AFTER, FORGET_BATCH),
  )

  /** An embedder that has failed is left alone until then, by the monotonic clock. */
  let leftUntil = 0

  async function round(): Promise<number | null> {
    const left = leftUntil - clock.monotonic()
    if (left > 0) return left
    for (;;) {
      if (signal.aborted) return null
      const outcome = await batches.next()
      if (outcome === 'failed') {
        leftUntil = clock.monotonic() + retryAfter
        return retryAfter
      }
      if (outcome === 'none') break
    }
    await forget()
    return null
  }

  const job = context.scheduler.begin({ name: 'turn embedder', kind: 'turns', round, retryAfter })
  return {
    async stop() {
      controller.abort(new Error('The platform is closing.'))
      await job.stop()
    },
  }
}
