import { isRecordingPart } from '../../domain/conversation/call-recording.ts'
import { PlatformError } from '../../errors.ts'
import type { Files } from '../../ports/files.ts'
import { until } from '../../schedule/until.ts'
import type { Context } from '../context.ts'
import { askFiles, filesOf } from './file-port.ts'

export type RemovingContext = Pick<Context, 'clock' | 'files' | 'recordings' | 'settings' | 'store'>

/** Returns the port behind which bytes are. @throws NOT_IMPLEMENTED if the host does not give it any more */
function portOf(context: RemovingContext, id: string): Files {
  if (!isRecordingPart(id)) return filesOf(context)
  const keep = context.recordings?.keep
  if (keep !== undefined) return keep
  throw new PlatformError(
    'NOT_IMPLEMENTED',
    'Recordings are to be removed, and the host gave no `recordings.keep`.',
  )
}

/** Files of a round, and those of them that are removed at once. */
const BATCH = 100
const AT_ONCE = 10

/** Reports whether a host gave a port for bytes that the platform removes. */
export const hasBytes = ({ files, recordings }: Pick<Context, 'files' | 'recordings'>): boolean =>
  files !== null || recordings?.keep !== undefined

/** Removes the bytes of files, and then their entries: after a crash in between they are removed again. */
export async function removeBytes(context: RemovingContext, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += AT_ONCE)
    await Promise.all(
      ids.slice(from, from + AT_ONCE).map(id => {
        const port = portOf(context, id)
        return askFiles(context, signal => port.remove({ id, signal }))
      }),
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
  if (!hasBytes(context)) return
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
