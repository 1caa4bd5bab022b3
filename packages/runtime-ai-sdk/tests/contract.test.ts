import { createMemoryStore } from '@colloquy/core/memory'
import { type RuntimeTask, testRuntime } from '@colloquy/core/testing/contracts'
import { simulateReadableStream } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { z } from 'zod'
import { createAiSdkRuntime } from '../src/index.ts'

type CallOptions = Parameters<MockLanguageModelV4['doStream']>[0]
type StreamPart =
  Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer Part>
    ? Part
    : never

const UNKNOWN = 'I do not know.'
const topicSchema = z.object({ topic: z.string(), content: z.string() })

/** The content of a topic as the prompt tells it; null when it is not there. */
function contentIn(prompt: CallOptions['prompt'], topic: string): string | null {
  const system = prompt.find(({ role }) => role === 'system')?.content
  const lines =
    typeof system === 'string' ? system.split('\n').filter(line => line.startsWith('{"topic"')) : []
  const topics = lines.map(line => topicSchema.parse(JSON.parse(line)))
  return topics.find(one => one.topic === topic)?.content ?? null
}

/**
 * The visitor's newest text, and whether a tool has answered since. Texts that nobody has answered stand in one
 * message.
 */
function heard(prompt: CallOptions['prompt']) {
  const at = prompt.findLastIndex(({ role }) => role === 'user')
  const message = prompt[at]
  const pieces = message?.role === 'user' ? message.content : []
  const text = pieces.flatMap(piece => (piece.type === 'text' ? [piece.text] : [])).join('')
  return {
    text: text.split('\n\n').at(-1) ?? '',
    answered: prompt.slice(at + 1).some(({ role }) => role === 'tool'),
  }
}

const finish = (reason: 'stop' | 'tool-calls'): StreamPart => ({
  type: 'finish',
  finishReason: { unified: reason, raw: reason },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  },
})

const call = (toolName: string, input: object): StreamPart[] => [
  { type: 'tool-call', toolCallId: 'call-1', toolName, input: JSON.stringify(input) },
  finish('tool-calls'),
]

/** Says a text word by word. */
const say = (text: string): StreamPart[] => [
  { type: 'text-start', id: 't' },
  ...(text.match(/\S+\s*/g) ?? []).map(delta => ({ type: 'text-delta' as const, id: 't', delta })),
  { type: 'text-end', id: 't' },
  finish('stop'),
]

/** What a model that does the tasks answers to one request. */
function answerTo(tasks: readonly RuntimeTask[], prompt: CallOptions['prompt']): StreamPart[] {
  const { text, answered } = heard(prompt)
  const task = tasks.find(({ message }) => message === text)
  const content = task === undefined ? null : contentIn(prompt, task.topic)
  if (task === undefined || content === null) return say(UNKNOWN)
  if (task.calls !== null && !answered) return call(task.calls, {})
  if (task.handsOffTo === null) return say(content)
  return call('hand_off', { destination: task.handsOffTo, reason: 'Asked for it.', message: content })
}

testRuntime('ai-sdk', {
  make: (tasks, clock) =>
    createAiSdkRuntime({
      clock,
      model: new MockLanguageModelV4({
        doStream: async ({ prompt }) => ({
          stream: simulateReadableStream({
            chunks: answerTo(tasks, prompt),
            initialDelayInMs: null,
            chunkDelayInMs: null,
          }),
        }),
      }),
    }),
  openStore: async () => createMemoryStore(),
})
