import { z } from 'zod'
import { phraseOf } from './phrases.ts'
import type { ServerEvent } from './visitor-client.ts'

const attachmentsSchema = z.array(z.object({ title: z.string(), content_url: z.string() })).catch([])
const suggestionsSchema = z.array(z.object({ message_text: z.string() })).catch([])
const messageSchema = z.object({
  text: z.string(),
  attachments: attachmentsSchema,
  response_suggestions: suggestionsSchema,
})
const chunkSchema = messageSchema.extend({
  message_id: z.string(),
  chunk_index: z.number(),
  is_complete: z.boolean(),
})
type Chunk = z.output<typeof chunkSchema>
const liveAgentSchema = z.object({ agent: z.object({ id: z.string(), name: z.string() }) })

/** Shows a conversation as text. */
export interface Screen {
  /** Shows an event. Chunks may come again or with gaps: each word is shown once and in its place (TT2). */
  show(event: ServerEvent): void
  /** Shows a line that is not the platform's. */
  say(line: string): void
  /** The last reply's suggestion of that number, from 1. */
  suggestion(number: number): string | null
}

/** A reply that streams in. */
interface Stream {
  readonly chunks: Map<number, Chunk>
  shown: number
}

/**
 * Makes a screen. Long, because what is shown depends on what was shown before: all parts share it.
 *
 * @param write takes any text, not only whole lines
 */
export function createScreen(write: (text: string) => void): Screen {
  const liveAgents = new Map<string, string>()
  const streams = new Map<string, Stream>()
  let suggestions: readonly string[] = []
  /** The reply whose line is not finished. */
  let openLine: string | null = null

  function say(line: string): void {
    write(openLine === null ? `${line}\n` : `\n${line}\n`)
    openLine = null
  }

  function extras(message: z.output<typeof messageSchema>): void {
    for (const { title, content_url } of message.attachments) say(`  [${title}] ${content_url}`)
    suggestions = message.response_suggestions.map(({ message_text }) => message_text)
    for (const [index, suggestion] of suggestions.entries()) say(`  /${index + 1} ${suggestion}`)
  }

  function showMessage(speaker: string, event: ServerEvent): void {
    const message = messageSchema.parse(event.payload)
    say(`${speaker}: ${message.text}`)
    extras(message)
  }

  function showChunk(chunk: Chunk): void {
    const stream = streams.get(chunk.message_id) ?? { chunks: new Map<number, Chunk>(), shown: 0 }
    streams.set(chunk.message_id, stream)
    if (chunk.chunk_index > stream.shown) stream.chunks.set(chunk.chunk_index, chunk)
    for (let next = stream.chunks.get(stream.shown + 1); next; next = stream.chunks.get(stream.shown + 1)) {
      stream.chunks.delete(next.chunk_index)
      stream.shown = next.chunk_index
      writeChunk(next)
    }
  }

  function writeChunk(chunk: Chunk): void {
    if (openLine !== chunk.message_id) {
      if (openLine !== null) write('\n')
      write(chunk.chunk_index === 1 ? 'Agent: ' : '… ')
      openLine = chunk.message_id
    }
    write(chunk.text)
    if (!chunk.is_complete) return
    write('\n')
    openLine = null
    extras(chunk)
  }

  return {
    say,
    suggestion: number => suggestions[number - 1] ?? null,
    show(event) {
      switch (event.type) {
        case 'EVENT_TYPE_USER_MESSAGE':
          return say(`You: ${z.string().parse(event.payload.text)}`)
        case 'EVENT_TYPE_AI_AGENT_MESSAGE':
          return showMessage('Agent', event)
        case 'EVENT_TYPE_AI_AGENT_MESSAGE_CHUNK':
          return showChunk(chunkSchema.parse(event.payload))
        case 'EVENT_TYPE_LIVE_AGENT_MESSAGE':
          return showMessage(liveAgents.get(String(event.payload.agent_id)) ?? 'Live agent', event)
        case 'EVENT_TYPE_LIVE_AGENT_JOINED': {
          const { agent } = liveAgentSchema.parse(event.payload)
          liveAgents.set(agent.id, agent.name)
        }
      }
      const phrase = phraseOf(event)
      if (phrase !== null) say(phrase)
    },
  }
}
