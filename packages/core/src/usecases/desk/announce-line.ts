import type { AccountId, HandoffId } from '../../domain/ids.ts'
import { topics } from '../../ports/notices.ts'
import type { Job } from '../../schedule/scheduler.ts'
import { until } from '../../schedule/until.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import { createSerial } from '../shared/serial.ts'
import type { Assigner } from './assign.ts'
import { hostMessage, type LinePosition, readLine } from './waiting-line.ts'

/** Sends waiting visitors their position: when it changes, and again within `Settings.queueStatusInterval` (DK12). */
export interface LineAnnouncer {
  start(): void
  stop(): void
  /**
   * Announces a change of the account's line to its watchers. Once started, also to visitors whose position or estimate
   * has changed.
   */
  changed(accountId: AccountId): void
}

/** The part of an interval that is left when a claim is over: another process takes over within it. */
const LEFT = 1 / 5
/** The time until a line is checked again that another process has just claimed, milliseconds. */
const CLAIMED = 500

type Announcement = LinePosition & { readonly displayMessage: string | null }

/** Returns the visitor's last announcement, for comparison. */
const saidOf = ({ position, estimatedWaitSeconds, displayMessage }: Announcement): string =>
  `${position} ${estimatedWaitSeconds} ${displayMessage ?? ''}`

/**
 * Announces the lines of the built-in desk. If several processes share a store, one claims a line at a time and
 * announces all of it. Changes are announced by the process that made them. If two of them announce the same position,
 * visitors get it twice. While no visitor waits, only the common check of the scheduler remains.
 */
export function createLineAnnouncer(
  context: Context,
  engine: Pick<Engine, 'execute'>,
  assigner: Pick<Assigner, 'assign' | 'round'>,
): LineAnnouncer {
  const { clock, settings, store } = context
  const claimTime = settings.queueStatusInterval * (1 - LEFT)
  const serial = createSerial<AccountId>()
  /** Announcements of this process to waiting visitors. */
  const told = new Map<AccountId, ReadonlyMap<HandoffId, string>>()
  /** Accounts whose next announcement has not begun: further changes are part of it. */
  const awaited = new Set<AccountId>()
  let job: Job | null = null

  async function announce(accountId: AccountId, who: 'all' | 'changed'): Promise<void> {
    const entries = await readLine(context, accountId)
    const line = entries.map(
      (entry): Announcement => ({ ...entry, displayMessage: hostMessage(context, accountId, entry) }),
    )
    context.telemetry?.measure('colloquy.queue', line.length, { account: accountId })
    const before = told.get(accountId)
    if (line.length === 0) told.delete(accountId)
    else told.set(accountId, new Map(line.map(entry => [entry.handoffId, saidOf(entry)])))
    const news = who === 'all' ? line : line.filter(entry => before?.get(entry.handoffId) !== saidOf(entry))
    await Promise.all(
      news.map(({ conversationId, queueName: _, ...entry }) =>
        engine.execute(conversationId, { type: 'queue_status', ...entry }),
      ),
    )
  }

  async function announceClaimed(): Promise<number | null> {
    const now = clock.now()
    const lines = await store.conversations.handoffs.claimLines(now, now + claimTime)
    await Promise.all(lines.map(accountId => serial(accountId, () => announce(accountId, 'all'))))
    // A change whose process was killed is made up for here.
    await Promise.all(lines.map(accountId => assigner.assign(accountId)))
    const [offerEnds, nextLine] = [await assigner.round(), await store.conversations.handoffs.nextLine()]
    const line = until(nextLine, clock.now(), CLAIMED)
    const offer = until(offerEnds, clock.now())
    return line === null || offer === null ? (line ?? offer) : Math.min(line, offer)
  }

  function failed(error: unknown): void {
    if (job !== null) settings.onError(error, 'queue status')
  }

  return {
    start() {
      job ??= context.scheduler.begin({ name: 'queue status', kind: 'lines', round: announceClaimed })
    },
    stop() {
      void job?.stop()
      job = null
    },
    changed(accountId) {
      context.notices.publish(topics.line(accountId), { changed: true })
      context.scheduler.due('lines', clock.now() + claimTime)
      if (job === null || awaited.has(accountId)) return
      awaited.add(accountId)
      void serial(accountId, () => {
        awaited.delete(accountId)
        return announce(accountId, 'changed')
      }).catch(failed)
    },
  }
}
