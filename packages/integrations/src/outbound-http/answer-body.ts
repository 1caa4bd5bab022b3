import type { IncomingMessage } from 'node:http'
import type { AnswerBody } from '@colloquy/core'

/** The number of bytes to keep of a body: enough for the 1,000 characters that core keeps, in any script. */
const HELD = 4_096

/** Types of content that people can read. */
const READABLE =
  /^(?:text\/[^;\s]+|application\/(?:(?:[^;\s]+\+)?(?:json|xml)|(?:x-)?(?:ndjson|yaml)|x-www-form-urlencoded))(?=[;\s]|$)/i
const CHARSET = /;\s*charset="?([^\s";]+)/i

/** Returns a decoder for the letters that a type names, UTF-8 unless it does; null if they are not known. */
function decoderOf(contentType: string) {
  try {
    return new TextDecoder(CHARSET.exec(contentType)?.[1] ?? 'utf-8')
  } catch {
    return null
  }
}

/** Returns the beginning of a body as text; a character whose end is missing is left out. Null when it is no text. */
function textOf(
  { contentType, encoding }: { readonly contentType: string | null; readonly encoding: string },
  beginning: Uint8Array,
  isCut: boolean,
): string | null {
  if (contentType === null || encoding !== 'identity' || !READABLE.test(contentType)) return null
  return decoderOf(contentType)?.decode(beginning, { stream: isCut }) ?? null
}

/**
 * Reads an answer up to a bound, so that the receiver may finish its sentence, and holds its beginning. To be asked for
 * the body once the answer is closed.
 */
export function takeBody(response: IncomingMessage, limit: number): () => AnswerBody {
  let read = 0
  let held = Buffer.alloc(0)
  response.on('data', (chunk: Uint8Array) => {
    read += chunk.length
    if (held.length < HELD) held = Buffer.concat([held, chunk.subarray(0, HELD - held.length)])
    if (read > limit) response.destroy()
  })
  response.on('error', () => undefined)
  return () => {
    const contentType = response.headers['content-type'] ?? null
    const encoding = response.headers['content-encoding']?.trim().toLowerCase() || 'identity'
    const text = textOf({ contentType, encoding }, held, read > held.length || !response.complete)
    return {
      contentType,
      bytes: read,
      text,
      isCut: !response.complete || (text !== null && read > held.length),
    }
  }
}
