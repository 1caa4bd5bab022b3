import { PlatformError } from '../errors.ts'
import { bodyTooLarge, bodyTooSlow, bodyUsedBefore } from '../http/read-json.ts'
import { systemClock } from '../system/system.ts'

const cutShort = (): PlatformError =>
  new PlatformError('SCHEMA_VALIDATION_FAILED', 'The body ended too early.')

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** Also for bytes that another realm made, as where core runs in a sandbox, and requests are made outside of it. */
const isBytes = (value: unknown): value is Uint8Array =>
  Object.prototype.toString.call(value) === '[object Uint8Array]'

/** Reads to the end, or until there is more than the limit: what comes after that is not kept. */
async function readAll(reader: ReadableStreamDefaultReader<unknown>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return joined(chunks, size)
    if (!isBytes(value)) throw cutShort()
    size += value.length
    if (size > limit) throw bodyTooLarge(limit)
    chunks.push(value)
  }
}

/**
 * Reads the body of a request (HT41 and FE9). What is not read is left to the host's server: who cancels it closes, in
 * some, the connection over which the answer has to go.
 *
 * @param timeout milliseconds for the whole body, however steadily it drips
 * @throws BODY_READ_BEFORE, BODY_TOO_LARGE, REQUEST_TIMEOUT, SCHEMA_VALIDATION_FAILED where it ends too early
 */
export async function readRequestBody(request: Request, limit: number, timeout: number): Promise<Uint8Array> {
  // Before anything touches the body: of that some hosts make a stream, and can no longer throw away what is unread.
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (declared > limit) throw bodyTooLarge(limit)
  const { body, signal } = request
  if (request.bodyUsed || body?.locked === true) throw bodyUsedBefore()
  // A host that makes a new request out of one may have left its body behind.
  if (!body && declared > 0) throw bodyUsedBefore()
  if (!body) return new Uint8Array()
  const reader: ReadableStreamDefaultReader<unknown> = body.getReader()
  let late = false
  const onLate = (): void => {
    late = true
    reader.releaseLock()
  }
  const onAbort = (): void => reader.releaseLock()
  const disarm = systemClock.schedule(timeout, onLate)
  signal.addEventListener('abort', onAbort)
  try {
    if (signal.aborted) throw cutShort()
    return await readAll(reader, limit)
  } catch (error) {
    if (late) throw bodyTooSlow(timeout)
    throw error instanceof PlatformError ? error : cutShort()
  } finally {
    disarm()
    signal.removeEventListener('abort', onAbort)
    reader.releaseLock()
  }
}
