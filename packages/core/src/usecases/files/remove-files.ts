import { until } from '../../schedule/until.ts'
import type { Context } from '../context.ts'
import { askFiles, filesOf } from './file-port.ts'

type RemovingContext = Pick<Context, 'clock' | 'files' | 'settings' | 'store'>

/** Files of a round, and those of them that are removed at once. */
const BATCH = 100
const AT_ONCE = 10

/** Removes the bytes of files, and then their entries: after a crash in between they are removed again. */
export async function removeBytes(context: RemovingContext, ids: readonly string[]): Promise<void> {
  const files = filesOf(context)
  for (let from = 0; from < ids.length; from += AT_ONCE)
    await Promise.all(
      ids.slice(from, from + AT_ONCE).map(id => askFiles(context, signal => files.remove({ id, signal }))),
    )
  await context.store.conversations.files.forget(ids)
}

/** Removes files that are due. True if there may be more. */
async function removeDue(context: RemovingContext): Promise<boolean> {
  const due = await context.store.conversations.files.takeDue(context.clock.now(), BATCH)
  await removeBytes(context, due)
  return due.length === BATCH
}

/**
 * Removes the bytes of the conversations that were just removed, so that nothing of them is left when the caller has
 * the answer (FI11). After a failure, which the host hears of, the scheduler tries again.
 */
export async function removeFilesNow(context: RemovingContext): Promise<void> {
  if (context.files === null) return
  try {
    while (await removeDue(context));
  } catch (error) {
    context.settings.onError(error, 'removing files')
  }
}

/** Removes files that no message has named in time, and those of removed conversations. */
export interface FileSweeper {
  stop(): Promise<void>
}

/** Starts it in a process that has the port (FI11). */
export function startFileSweeper(context: RemovingContext & Pick<Context, 'scheduler'>): FileSweeper {
  const { clock, scheduler, store } = context
  return scheduler.begin({
    name: 'files',
    kind: 'files',
    async round() {
      if (await removeDue(context)) return 0
      return until(await store.conversations.files.nextDue(), clock.now(), 0)
    },
  })
}
