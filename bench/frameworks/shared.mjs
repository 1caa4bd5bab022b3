/** What every subject shares: the texts, a model that answers at once, and how many earlier lines a model is shown. */
export const ANSWER = 'Breakfast is served from seven to ten in the room by the harbour. '
  .repeat(4)
  .slice(0, 200)
export const SYSTEM = 'You are the front desk of a small hotel by the harbour. Be brief, be kind. '
  .repeat(14)
  .slice(0, 1_000)
export const WINDOW = 40

// Its warnings about models of an earlier specification would be written at every turn.
globalThis.AI_SDK_LOG_WARNINGS = false

export const question = number => `Question ${number} about the breakfast, please?`

/** Earlier lines of a conversation: the visitor and the agent take turns. */
export const earlier = count =>
  Array.from({ length: count }, (_, at) =>
    at % 2 === 0 ? { role: 'user', text: question(at) } : { role: 'assistant', text: ANSWER },
  )

const usage = {
  inputTokens: { total: 300, noCache: 300, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 50, text: 50, reasoning: undefined },
}
const finishReason = { unified: 'stop', raw: 'stop' }

/** A model as all of them take it. It calls no tools. */
export const model = {
  specificationVersion: 'v3',
  provider: 'bench',
  modelId: 'at-once',
  supportedUrls: {},
  doGenerate: async () => ({ content: [{ type: 'text', text: ANSWER }], finishReason, usage, warnings: [] }),
  doStream: async () => ({
    stream: ReadableStream.from([
      { type: 'stream-start', warnings: [] },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: ANSWER },
      { type: 'text-end', id: '1' },
      { type: 'finish', finishReason, usage },
    ]),
  }),
}
