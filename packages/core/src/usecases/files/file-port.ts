import { PlatformError } from '../../errors.ts'
import type { Files, FileToRead } from '../../ports/files.ts'
import { within } from '../../shared/deadline.ts'
import type { Context } from '../context.ts'

export type FileContext = Pick<Context, 'clock' | 'files' | 'settings'>

/** Returns the host's port. @throws NOT_IMPLEMENTED */
export function filesOf({ files }: Pick<Context, 'files'>): Files {
  if (files !== null) return files
  throw new PlatformError('NOT_IMPLEMENTED', 'No files are taken here: the host gave no `files`.')
}

/** Calls the port within its deadline. @throws FILES_FAILED, which the host hears of */
export async function askFiles<Answer>(
  { clock, settings }: Pick<Context, 'clock' | 'settings'>,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const limit = settings.fileRules.deadline
  const late = new Error(`The port for files did not answer within ${limit} ms.`)
  try {
    return await within(clock, { limit, late }, async signal => ask(signal))
  } catch (cause) {
    settings.onError(cause, 'files')
    throw new PlatformError('FILES_FAILED', 'Files cannot be stored or read now. Try again later.', { cause })
  }
}

/** Returns a file's bytes, which must be as many as were stored. @throws FILES_FAILED, FILE_NOT_FOUND */
export async function openContent(
  context: FileContext,
  { id, size }: { readonly id: string; readonly size: number },
): Promise<AsyncIterable<Uint8Array>> {
  const files = filesOf(context)
  const chunks = await askFiles(context, signal => files.get({ id, signal } satisfies FileToRead))
  if (chunks === null) throw unknownFile()
  return whole(chunks, size)
}

/** Passes a file on, and fails when it has more or fewer bytes than were stored. */
async function* whole(chunks: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > size) break
    yield chunk
  }
  if (bytes !== size) throw new Error(`The port for files returned another number of bytes than ${size}.`)
}

/** Returns the error for a file that a conversation does not have, or no longer. */
export const unknownFile = (): PlatformError =>
  new PlatformError('FILE_NOT_FOUND', 'The conversation has no such file, or it was removed.')
