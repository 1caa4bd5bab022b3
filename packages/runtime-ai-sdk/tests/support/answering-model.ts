import { simulateReadableStream } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'

export type CallOptions = Parameters<MockLanguageModelV4['doStream']>[0]
type StreamPart =
  Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer Part>
    ? Part
    : never

const said = (text: string): StreamPart[] => [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: text },
  { type: 'text-end', id: 't' },
  {
    type: 'finish',
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
  },
]

/** Waits until the request is called off. */
const hanging = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    const end = (): void => reject(signal?.reason)
    if (signal?.aborted) end()
    else signal?.addEventListener('abort', end, { once: true })
  })

/** A model that answers each request by a function, and keeps what it was asked. */
export function createAnsweringModel(answer: (request: CallOptions) => string) {
  const requests: CallOptions[] = []
  let next: 'fails' | 'hangs' | null = null
  const model = new MockLanguageModelV4({
    async doStream(request) {
      requests.push(request)
      const fault = next
      next = null
      if (fault === 'fails') throw Object.assign(new Error('refused'), { statusCode: 400 })
      if (fault === 'hangs') await hanging(request.abortSignal)
      const stream = simulateReadableStream({
        chunks: said(answer(request)),
        initialDelayInMs: null,
        chunkDelayInMs: null,
      })
      return { stream }
    },
  })
  const fault = (fault: 'fails' | 'hangs'): void => {
    next = fault
  }
  return { fault, model, requests }
}

export const textOf = (request: CallOptions | undefined, role: 'system' | 'user'): string =>
  JSON.stringify(request?.prompt.find(one => one.role === role)?.content)

/** The lines of JSON that the model was given as the user's. */
export function linesOf(request: CallOptions | undefined): readonly unknown[] {
  const [content] = request?.prompt.find(({ role }) => role === 'user')?.content ?? []
  const text = typeof content === 'object' && content.type === 'text' ? content.text : ''
  return text.split('\n').map(line => JSON.parse(line))
}
