import type { StreamFetch } from './ports.ts'

/** Frames of one request: as many as a server takes, and few enough characters for its limit. */
const MOST = 64
const MOST_LENGTH = 200_000

/** Time limit of a request, milliseconds: longer than a server retries while its store is busy. */
const DEADLINE = 30_000

/** Close code of a socket for each refusal; 1006 for all others. */
const CODES: Readonly<Record<number, number>> = { 401: 4001, 404: 4001, 413: 1009, 429: 1013, 503: 1011 }

/** Sends frames in their order, one request at a time. */
export interface Posts {
  send(frame: string): void
  /** The stream is there, under that id: from now on frames go out. */
  begin(stream: string): void
}

/** @param failed called with the close code once frames were refused: no more are sent */
export function createPosts(
  fetch: StreamFetch,
  address: string,
  headers: Record<string, string>,
  failed: (code: number) => void,
): Posts {
  const waiting: string[] = []
  let to: string | null = null
  let busy = false

  function next(): readonly string[] {
    let length = 0
    let count = 0
    for (const frame of waiting) {
      length += frame.length
      if (count > 0 && (count === MOST || length > MOST_LENGTH)) break
      count++
    }
    return waiting.splice(0, count)
  }

  async function work(): Promise<void> {
    if (busy || to === null) return
    busy = true
    while (waiting.length > 0) {
      const body = `[${next().join(',')}]`
      const signal = AbortSignal.timeout(DEADLINE)
      const status = await fetch(to, { method: 'POST', headers, body, signal }).then(
        answer => answer.status,
        () => 0,
      )
      if (status === 202) continue
      waiting.length = 0
      to = null
      failed(CODES[status] ?? 1006)
      return
    }
    busy = false
  }

  return {
    send(frame) {
      waiting.push(frame)
      void work()
    },
    begin(stream) {
      to = `${address}?stream=${encodeURIComponent(stream)}`
      void work()
    },
  }
}
