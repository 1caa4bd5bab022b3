/** Nothing between the server and its reader may keep, gather or change what is streamed (ES5). */
export const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
} as const

/** Returns the stream for a request of the head alone. */
export async function* noChunks(): AsyncGenerator<string> {}
