import { createPartReader, type StreamPart } from './parts.ts'
import type { StreamBody } from './ports.ts'

/**
 * Returns the events of a stream as they come, such as that of `streamEvents` of `@colloquy/client/http`. Leaving the
 * loop over it ends the stream.
 *
 * @throws what its reader throws where it breaks off
 */
export async function* eventsOf(body: StreamBody): AsyncIterableIterator<StreamPart> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const partsOf = createPartReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield* partsOf(decoder.decode(value, { stream: true }))
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
