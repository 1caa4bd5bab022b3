import * as z from 'zod'
import type { SentFile } from '../../domain/conversation/event-payloads.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import { type ConversationFile, type FileSender, safeFileName } from '../../domain/file/file.ts'
import { inspectFile } from '../../domain/file/inspect-file.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'
import { isFunction, own } from '../shared/arguments.ts'
import { askFiles, filesOf } from './file-port.ts'
import { removeBytes } from './remove-files.ts'

/** A file on its way in. */
export interface NewFile {
  /** As the sender's system has it. */
  readonly name: string
  /** The type that the sender declares. It must be that of the content. */
  readonly type: string
  /** Reads the content. @throws BODY_TOO_LARGE, REQUEST_TIMEOUT */
  read(limits: FileReading): Promise<Uint8Array>
}

/** The limits of reading a file. */
export interface FileReading {
  readonly bytes: number
  /** Milliseconds. */
  readonly timeout: number
}

/** The schema of {@link NewFile}. */
export const newFileSchema = z.object({
  name: z.string().max(1_000),
  type: z.string().max(200),
  read: own<NewFile['read']>(isFunction, 'expected a function'),
})

type StoreContext = Pick<Context, 'clock' | 'files' | 'ids' | 'recordings' | 'settings' | 'store' | 'uploads'>

/** Returns a file as the wire names it. */
const sentFile = ({ id, name, type, size }: ConversationFile): SentFile => ({
  ...{ file_id: id, name, content_type: type, size },
})

/**
 * Reads, checks and stores a file of a conversation. It is removed again unless a message names it in time (FI1 to
 * FI7).
 *
 * @throws NOT_IMPLEMENTED, BODY_TOO_LARGE, REQUEST_TIMEOUT, RATE_LIMITED, FILE_REFUSED, FILES_LIMIT, FILES_FAILED,
 *   FILE_NOT_FOUND if the conversation is gone
 */
export async function storeFile(
  context: StoreContext,
  { accountId, id: conversationId }: Pick<ConversationState, 'accountId' | 'id'>,
  from: FileSender,
  given: NewFile,
): Promise<SentFile> {
  const files = filesOf(context)
  const { clock, ids, settings, store } = context
  const { fileRules: rules } = settings
  return context.uploads(accountId, async () => {
    const bytes = await given.read({ bytes: rules.bytes, timeout: rules.uploadTime })
    const inspected = inspectFile(bytes, given.type, {
      ...{ types: rules.types, bytes: rules.bytes, pixels: rules.picturePixels },
    })
    if (inspected.refusal !== null) throw new PlatformError('FILE_REFUSED', inspected.refusal)
    const { content, type } = inspected
    const id = ids.uuid()
    const at = clock.now()
    const name = safeFileName(given.name, type)
    const file = { id, conversationId, accountId, from, name, type, size: content.length, at }
    // Before its bytes: whatever happens then, they do not stay.
    await store.conversations.files.expect(id, at + rules.unnamedFor)
    await askFiles(context, signal => files.put({ id, type, content, signal }))
    const bounds = { files: rules.perConversation, bytes: rules.bytesPerConversation }
    const added = await store.conversations.files.add(file, bounds)
    if (added === 'added') return sentFile(file)
    await removeBytes(context, [id])
    if (added === 'missing')
      throw new PlatformError('FILE_NOT_FOUND', 'The conversation was removed while the file was stored.')
    throw new PlatformError(
      'FILES_LIMIT',
      `The conversation has no room for the file. Allowed: ${bounds.files} files, and ${bounds.bytes} bytes in all.`,
    )
  })
}

/**
 * Keeps files as long as their conversation, for a message that names them, and returns them in its order.
 *
 * @throws NOT_IMPLEMENTED, FILES_LIMIT, FILE_NOT_FOUND
 */
export async function nameFiles(
  context: Pick<Context, 'files' | 'settings' | 'store'>,
  conversationId: ConversationState['id'],
  from: FileSender,
  ids: readonly string[],
): Promise<readonly SentFile[]> {
  if (ids.length === 0) return []
  filesOf(context)
  const most = context.settings.fileRules.perMessage
  if (ids.length > most)
    throw new PlatformError('FILES_LIMIT', `A message has ${ids.length} files. Allowed: ${most}.`)
  const wanted = [...new Set(ids)]
  const files = await context.store.conversations.files.name(conversationId, from, wanted)
  if (files === null)
    throw new PlatformError(
      'FILE_NOT_FOUND',
      'A file of the message is not there, or no longer. Send the file again, then name its new id.',
    )
  return files.map(sentFile)
}
