import type { Clock } from '@colloquy/core'
import { z } from 'zod'
import { type Answer, isPassing, type Post, pause } from '../post-signed.ts'
import type { Verdict } from './from-platform.ts'
import type { Desk, Ticket } from './tickets.ts'

/** The first wait after a failure, and the longest: each is twice the one before. Milliseconds. */
export interface Pauses {
  readonly first: number
  readonly longest: number
}

/** Reports to the platform what it has not confirmed. */
export interface Outbox {
  /** There may be something new. */
  look(): void
  /** Resolves when everything was confirmed. */
  idle(): Promise<void>
  /** Sends nothing more. Resolves when the reports in progress have ended. */
  stop(): Promise<void>
}

/** Dependencies of an outbox. */
export interface OutboxParts {
  readonly read: () => Desk
  readonly settle: (handoffId: string, reportId: string, verdict: Verdict) => void
  readonly post: Post
  readonly clock: Clock
  readonly pauses: Pauses
  /** Told why something has to be sent again. */
  readonly onTrouble: (text: string) => void
}

const answerSchema = z
  .object({ handoff_status: z.string().optional(), error: z.string().optional() })
  .catch({})

/** Typing and positions hold for a moment: later they would be wrong. */
const isOfTheMoment = ({ report }: Ticket['reports'][number]): boolean =>
  report.type === 'typing' || report.type === 'queue_status'

/** Null: to be sent again. What has been said must not be lost, so a refused signature is waited out as well. */
function verdictOn(answer: Answer): Verdict | null {
  const { status } = answer
  if (status >= 200 && status < 300) return 'taken'
  if (isPassing(answer) || status === 401) return null
  const over = status === 404 || answerSchema.parse(parseJson(answer.text)).handoff_status === 'over'
  return over ? 'over' : 'refused'
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Sends the reports of a ticket one by one, in order, until each is confirmed (WL8). Tickets do not wait for each
 * other. Long, because its parts share the tickets in progress.
 */
export function createOutbox(parts: OutboxParts): Outbox {
  const { read, settle, post, clock, pauses, onTrouble } = parts
  const running = new Map<string, Promise<void>>()
  let stopped = false
  let wake = (): void => {}
  const stopping = new Promise<void>(resolve => {
    wake = resolve
  })

  const nextOf = (id: string): Ticket['reports'][number] | undefined =>
    read().tickets.find(({ handoffId }) => handoffId === id)?.reports[0]

  async function attempt(queued: Ticket['reports'][number]): Promise<Verdict | null> {
    try {
      const answer = await post(queued.id, queued.report)
      const verdict = verdictOn(answer)
      if (verdict !== 'taken') onTrouble(`${queued.report.type}: ${answer.status} ${answer.text}`)
      return verdict
    } catch (error) {
      onTrouble(`${queued.report.type}: ${error instanceof Error ? error.message : String(error)}`)
      return null
    }
  }

  async function run(handoffId: string): Promise<void> {
    let wait = pauses.first
    for (let queued = nextOf(handoffId); queued !== undefined && !stopped; queued = nextOf(handoffId)) {
      const verdict = (await attempt(queued)) ?? (isOfTheMoment(queued) ? 'refused' : null)
      if (verdict !== null) {
        settle(handoffId, queued.id, verdict)
        wait = pauses.first
      } else if (!stopped) {
        await Promise.race([pause(clock, wait), stopping])
        wait = Math.min(wait * 2, pauses.longest)
      }
    }
    running.delete(handoffId)
  }

  async function idle(): Promise<void> {
    while (running.size > 0) await Promise.all(running.values())
  }

  return {
    idle,
    look() {
      for (const { handoffId, reports } of read().tickets)
        if (reports.length > 0 && !running.has(handoffId) && !stopped) {
          // Begun in a later turn: `running` has to know it before it can end.
          running.set(
            handoffId,
            Promise.resolve().then(() => run(handoffId)),
          )
        }
    },
    stop() {
      stopped = true
      wake()
      return idle()
    },
  }
}
