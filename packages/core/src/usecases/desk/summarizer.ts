import {
  begunSummary,
  endedSummary,
  type HandoffSummary,
  releasedSummary,
} from '../../domain/conversation/summary.ts'
import type { DeskAssistant } from '../../ports/desk-assistant.ts'
import { until } from '../../schedule/until.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import { AssistantLate, askForSummary } from './ask-assistant.ts'
import { publishSummary } from './follow-handoff.ts'

/** Summaries that a process makes at once. */
const AT_ONCE = 8

/** The time that a lease lasts beyond `assistantTimeout`, milliseconds. */
const LEASE_MARGIN = 5_000

/** The time until the next look if some that are due are left, milliseconds. */
const LEFT = 500

/** Makes summaries in the background. */
export interface Summarizer {
  /** Gives back those that it makes, and begins no more. */
  stop(): Promise<void>
}

/**
 * Makes the summaries that are due (DK645). Several processes may do so over one store: a lease gives each to one of
 * them, and after a crash to the next. Does nothing without an assistant.
 */
export function startSummarizer(context: Context, engine: Pick<Engine, 'load'>): Summarizer {
  const { clock, deskAssistant: assistant, log, rooms, scheduler, settings, store } = context
  if (assistant === null) return { stop: async () => undefined }
  const { summaries } = store.conversations
  const closing = new AbortController()
  const { signal } = closing
  const running = new Set<Promise<void>>()

  /** Makes a summary that this process holds; returns what becomes of it. */
  async function make(held: HandoffSummary, from: DeskAssistant): Promise<HandoffSummary> {
    try {
      const state = await engine.load(held.conversationId)
      if (state === null) return endedSummary(held, { failure: 'failed' }, clock.now())
      const text = await askForSummary(context, from, { handoffId: held.id, state, signal })
      return endedSummary(held, { text }, clock.now())
    } catch (error) {
      if (signal.aborted) return releasedSummary(held, clock.now())
      log.warn('A conversation could not be summarized.', { handoffId: held.id, error })
      const failure = error instanceof AssistantLate ? 'timed_out' : 'failed'
      return endedSummary(held, { failure }, clock.now())
    }
  }

  /** Makes a summary that this process holds, and keeps what becomes of it. */
  async function finish(held: HandoffSummary, from: DeskAssistant): Promise<void> {
    const end = await make(held, from)
    // One whose lease was over is another's by now.
    if ((await summaries.save(end, held.version)) !== 'saved') return
    if (end.status === 'pending') scheduler.due('summaries', clock.now())
    else publishSummary(rooms, end.conversationId)
  }

  /** Takes a summary that is due, unless another process was quicker. */
  async function begin(due: HandoffSummary, from: DeskAssistant): Promise<void> {
    const now = clock.now()
    const held = begunSummary(due, now + settings.assistantTimeout + LEASE_MARGIN, now)
    if ((await summaries.save(held, due.version)) !== 'saved') return
    if (held.status !== 'pending') return publishSummary(rooms, held.conversationId)
    const work = finish(held, from)
      .catch(error => settings.onError(error, 'summary'))
      .finally(() => {
        running.delete(work)
        if (!signal.aborted) job.due(clock.now())
      })
    running.add(work)
  }

  const round = async (): Promise<number | null> => {
    const free = AT_ONCE - running.size
    // One that ends begins the next round.
    if (free === 0 || signal.aborted) return null
    for (const due of await summaries.due(clock.now(), free)) await begin(due, assistant)
    return running.size === AT_ONCE ? null : until(await summaries.nextDue(), clock.now(), LEFT)
  }

  const job = scheduler.begin({ name: 'summaries', kind: 'summaries', round })
  return {
    async stop() {
      closing.abort(new Error('The platform is closing.'))
      await job.stop()
      await Promise.all(running)
    },
  }
}
