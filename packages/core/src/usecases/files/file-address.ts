import { readAddress, signAddress } from '../../domain/file/address.ts'
import { type ConversationFile, isPicture } from '../../domain/file/file.ts'
import type { AccountId, ConversationId } from '../../domain/ids.ts'
import { isPlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'
import { type FileContext, filesOf, openContent, unknownFile } from './file-port.ts'

/** The address of a file. */
export interface FileAddress {
  readonly file: ConversationFile
  /** The last part of `/api/v1/files/{token}`: opens the file without any further credential. */
  readonly token: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** The conversation that a file must belong to. */
export interface FileOwner {
  readonly accountId: AccountId
  readonly conversationId: ConversationId
}

/** An opened file. */
export interface OpenFile {
  readonly file: ConversationFile
  readonly chunks: AsyncIterable<Uint8Array>
}

type AddressContext = Pick<Context, 'clock' | 'files' | 'ids' | 'settings' | 'store'>

/** The secret that signs addresses: every process over the store has the same. */
const secretOf = ({ ids, store }: Pick<Context, 'ids' | 'store'>): Promise<string> =>
  store.access.tokenKeys.secret('file-addresses', ids.secret())

/** Returns a file of a conversation of that account. @throws FILE_NOT_FOUND */
async function fileOf(
  { store }: Pick<Context, 'store'>,
  { accountId, conversationId }: FileOwner,
  fileId: string,
): Promise<ConversationFile> {
  const file = await store.conversations.files.find(fileId)
  if (file?.conversationId === conversationId && file.accountId === accountId) return file
  throw unknownFile()
}

/** Returns an address of a file of that conversation. @throws NOT_IMPLEMENTED, FILE_NOT_FOUND */
export async function addressOf(
  context: AddressContext,
  owner: FileOwner,
  fileId: string,
): Promise<FileAddress> {
  filesOf(context)
  const file = await fileOf(context, owner, fileId)
  const expiresAt = context.clock.now() + context.settings.fileRules.addressLifetime
  return { file, expiresAt, token: signAddress(file.id, expiresAt, await secretOf(context)) }
}

/** Opens the file of an address. @throws NOT_IMPLEMENTED, FILE_NOT_FOUND, FILES_FAILED */
export async function openAddress(context: AddressContext, token: string): Promise<OpenFile> {
  filesOf(context)
  const id = readAddress(token, context.clock.now(), await secretOf(context))
  const file = id === null ? null : await context.store.conversations.files.find(id)
  if (file === null) throw unknownFile()
  return { file, chunks: await openContent(context, file) }
}

/** Reads a file of that conversation whole. Null if it has no such file. @throws FILES_FAILED */
export async function readFileOf(
  context: FileContext & Pick<Context, 'store'>,
  owner: FileOwner,
  fileId: string,
): Promise<Uint8Array | null> {
  const file = context.files === null ? null : await fileOf(context, owner, fileId).catch(nullIfUnknown)
  if (file === null) return null
  const bytes = new Uint8Array(file.size)
  let at = 0
  for await (const chunk of await openContent(context, file)) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

function nullIfUnknown(error: unknown): null {
  if (isPlatformError(error) && error.code === 'FILE_NOT_FOUND') return null
  throw error
}

/**
 * The headers with which a file is served (FI10): no page shows it as its own, whatever it holds, and none runs it. A
 * picture may be shown by pages of other sites, which have its address from us.
 */
export const fileHeaders = ({ name, type }: ConversationFile): Readonly<Record<string, string>> => ({
  'Content-Type': type === 'text/plain' ? 'text/plain; charset=utf-8' : type,
  'Content-Disposition': `attachment; filename="${name.replaceAll(/[^ -~]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, escaped)}`,
  'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  ...(isPicture(type) ? { 'Cross-Origin-Resource-Policy': 'cross-origin' } : {}),
})

const escaped = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
