import type { Json } from '@colloquy/core'
import { type HistoryLine, startOf, wellFormed } from '@colloquy/core/runtime'
import type { ModelMessage } from 'ai'
import { type Picture, withFiles } from './pictures.ts'

/** A line of the conversation as the model reads it. */
interface Line {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** Inserted before the visitor's first message when another speaker was first. */
const OPENING = '(The visitor has opened the conversation.)'

/** Before what a live agent said. A visitor's line never stands in that role. */
const COLLEAGUE = '[human colleague] '

/** Letters and digits, nine of them: some providers take no other ids of tool calls. */
const DATA_CALL_ID = 'convdata0'

/** The input for the messages of a turn. */
export interface MessageParts {
  readonly history: readonly HistoryLine[]
  /** Characters for the newest lines of the history. */
  readonly historyLength: number
  /** The visitor's new text, or a notice in its place. */
  readonly text: string
  /** Pictures, which come with the visitor's new text. */
  readonly pictures?: readonly Picture[]
  /** A tool call that the model finds made, with its result. */
  readonly preset: { readonly toolName: string; readonly output: ToolOutput } | null
}

/**
 * Returns the messages of a turn, oldest first (LM12). Lines of one speaker in a row are one message, and the first is
 * the visitor's: many models refuse it otherwise.
 */
export function turnMessages({
  history,
  historyLength,
  text,
  pictures = [],
  preset,
}: MessageParts): readonly ModelMessage[] {
  const lines = newest(history, historyLength).map(
    ({ files, from, text }): Line => ({
      role: from === 'visitor' ? 'user' : 'assistant',
      text: (from === 'live_agent' ? COLLEAGUE : '') + withFiles(text, files),
    }),
  )
  const spoken = joined([...lines, { role: 'user', text }])
  const called = preset === null ? [] : presetCall(preset.toolName, preset.output)
  const opening: readonly Line[] =
    called.length > 0 || spoken[0]?.role === 'assistant' ? [{ role: 'user', text: OPENING }] : []
  const messages = [...opening.map(message), ...called, ...spoken.map(message)]
  return pictures.length === 0
    ? messages
    : [...messages.slice(0, -1), shown(spoken.at(-1)?.text ?? text, pictures)]
}

/** Returns the visitor's message with pictures, each behind its name. */
const shown = (text: string, pictures: readonly Picture[]): ModelMessage => ({
  role: 'user',
  content: [
    { type: 'text', text },
    ...pictures.flatMap(
      ({ data, mediaType, name }) =>
        [
          { type: 'text', text: `[Picture: ${name}]` },
          { type: 'file', data, mediaType },
        ] as const,
    ),
  ],
})

const message = ({ role, text }: Line): ModelMessage => ({ role, content: text })

function joined(lines: readonly Line[]): readonly Line[] {
  const joined: Line[] = []
  for (const line of lines) {
    const last = joined.at(-1)
    if (last?.role === line.role)
      joined[joined.length - 1] = { ...last, text: `${last.text}\n\n${line.text}` }
    else joined.push(line)
  }
  return joined
}

/** Returns the newest lines whose texts fit into a length, oldest first. */
export function newest(history: readonly HistoryLine[], length: number): readonly HistoryLine[] {
  const spoken = history.filter(({ text }) => text.trim() !== '')
  let left = length
  const first = spoken.findLastIndex(({ text }) => {
    left -= text.length
    return left < 0
  })
  return spoken.slice(first + 1)
}

/**
 * Returns a tool call that the model did not make, with its result: what the model reads before it answers, in a role
 * that visitors cannot take (LM14).
 */
const presetCall = (toolName: string, output: ToolOutput): readonly ModelMessage[] => [
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: DATA_CALL_ID, toolName, input: {} }] },
  { role: 'tool', content: [{ type: 'tool-result', toolCallId: DATA_CALL_ID, toolName, output }] },
]

/** A tool's result in the AI SDK's words. */
export type ToolOutput = { readonly type: 'text' | 'error-text'; readonly value: string }

/** Returns a result as JSON; what is longer than `length` is cut, and says so (LM32). */
export function toolOutput(result: Json, length: number): ToolOutput {
  const text = JSON.stringify(wellFormed(result))
  if (text.length <= length) return { type: 'text', value: text }
  return { type: 'text', value: `${startOf(text, length)} … (cut: the result has ${text.length} characters)` }
}
