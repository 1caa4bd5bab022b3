import type { Json } from '@colloquy/core'
import type { CallToolResult } from '@modelcontextprotocol/client'
import * as z from 'zod'

/** Removes secrets from a text. */
export type Conceal = (text: string) => string

const jsonSchema = z.json()
const bytesOf = (text: string): number => Buffer.byteLength(text)

/** At most `bytes` of UTF-8, in whole characters. */
function cut(text: string, bytes: number): string {
  if (bytesOf(text) <= bytes) return text
  const note = `… (cut: the answer had ${bytesOf(text)} bytes)`
  const kept = Buffer.from(text).subarray(0, Math.max(bytes - bytesOf(note), 0))
  // As of a stream: a character that is not whole waits for its end.
  return `${new TextDecoder().decode(kept, { stream: true })}${note}`
}

type Content = CallToolResult['content'][number]

/** Returns a block as text. Pictures, sound and files are named, and not given to the agent. */
function words(block: Content): string {
  if (block.type === 'text') return block.text
  if (block.type === 'resource_link') return `[${block.name}: ${block.uri}]`
  if (block.type === 'resource')
    return 'text' in block.resource ? block.resource.text : `[${block.resource.uri}: not text]`
  return `[${block.type}: ${block.mimeType}]`
}

/**
 * Returns a tool's response as the function's result (MC3): structured content as it is, else its text.
 *
 * @throws Error in the tool's words when it failed, and when structured content is larger than `bytes`
 */
export function resultOf(
  { content = [], structuredContent, isError }: CallToolResult,
  bytes: number,
  conceal: Conceal,
): Json {
  const text = (): string => cut(conceal(content.map(words).join('\n')), bytes)
  if (isError === true) throw new Error(text().trim() || 'The tool failed without saying why.')
  if (structuredContent === undefined) return text()
  const written = conceal(JSON.stringify(structuredContent))
  const size = bytesOf(written)
  if (size > bytes) throw new Error(`The tool answered ${size} bytes of JSON; ${bytes} are allowed.`)
  return jsonSchema.parse(JSON.parse(written))
}
