import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { toBase64 } from '../../domain/base64.ts'
import type { SentFile } from '../../domain/conversation/event-payloads.ts'
import type { JsonObject } from '../../domain/json.ts'
import { isPlatformError } from '../../errors.ts'
import { piecesOf } from '../../shared/pieces.ts'
import { type FileContext, openContent } from '../files/file-port.ts'

/** Bytes of a file in one line: a multiple of three, so that the texts of all lines together are base64 too. */
const PIECE = 196_608

/** Returns the bytes of a file; null if they are gone, or the host has no port. @throws FILES_FAILED */
async function bytesOf(context: FileContext, file: SentFile): Promise<AsyncIterable<Uint8Array> | null> {
  if (context.files === null) return null
  try {
    return await openContent(context, { id: file.file_id, size: file.size })
  } catch (error) {
    if (isPlatformError(error) && error.code === 'FILE_NOT_FOUND') return null
    throw error
  }
}

/**
 * Returns the lines of an export for a file: its bytes, piece by piece, and then the file with the hash over them. The
 * hash is null if there are no bytes (RC601).
 */
export async function* fileLines(
  context: FileContext,
  of: JsonObject,
  file: SentFile,
): AsyncGenerator<JsonObject & { readonly type: string }> {
  const bytes = await bytesOf(context, file)
  const hash = sha256.create()
  let offset = 0
  for await (const piece of piecesOf(bytes ?? none(), PIECE)) {
    hash.update(piece)
    yield { type: 'file_bytes', ...of, file_id: file.file_id, offset, data: toBase64(piece) }
    offset += piece.length
  }
  yield { type: 'file', ...of, ...file, sha256: bytes === null ? null : bytesToHex(hash.digest()) }
}

async function* none(): AsyncGenerator<Uint8Array> {}
