import * as z from 'zod'

const LONGEST_ID = 200
const id = z.string().min(1).max(LONGEST_ID)

const part = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.string() }),
])
const message = z.object({
  id,
  role: z.string(),
  content: z.union([z.string(), z.array(part)]).nullish(),
})

/** Arrays and objects within each other. */
const MOST_LEVELS = 32
const MOST_MESSAGES = 10_000

/** What is read of an input of a run; tools of the page and context are not used (AG-UI, RunAgentInput). */
const inputSchema = z.object({
  threadId: id,
  runId: id,
  messages: z.array(message).max(MOST_MESSAGES),
  // Not walked: its own part of it is read by name, and the rest goes back as it came.
  state: z.unknown().optional(),
})

/** What a run is asked to do. */
export interface Run {
  readonly threadId: string
  readonly runId: string
  /** What the visitor says; null where the page only wants what is new. */
  readonly said: { readonly id: string; readonly text: string } | null
  /** The ids of what the page has. */
  readonly known: ReadonlySet<string>
  readonly state: z.output<typeof inputSchema>['state']
}

const textOf = (content: z.output<typeof message>['content']): string =>
  typeof content === 'string'
    ? content
    : (content ?? []).flatMap(one => ('text' in one ? [one.text] : [])).join('\n')

/** True for JSON text that nests deeper than is read. A text without an end is as deep as it gets. */
function isDeep(text: string): boolean {
  let depth = 0
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (quoted) {
      if (unit === 0x5c) index++
      else if (unit === 0x22) quoted = false
    } else if (unit === 0x22) quoted = true
    else if (unit === 0x5b || unit === 0x7b) {
      if (++depth > MOST_LEVELS) return true
    } else if (unit === 0x5d || unit === 0x7d) depth--
  }
  return false
}

/** True for an input with more messages or a larger state than is read, found without a look into either. */
function isLarge(json: unknown, stateLength: number): boolean {
  if (typeof json !== 'object' || json === null) return false
  if ('messages' in json && Array.isArray(json.messages) && json.messages.length > MOST_MESSAGES) return true
  return 'state' in json && (JSON.stringify(json.state) ?? '').length > stateLength
}

/** Reads the body of a request; null for what is no input of a run. */
export function readRun(body: string, stateLength: number): Run | null {
  if (isDeep(body)) return null
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return null
  }
  if (isLarge(json, stateLength)) return null
  const { data } = inputSchema.safeParse(json)
  if (data === undefined) return null
  const { threadId, runId, messages, state } = data
  const last = messages.at(-1)
  const text = last?.role === 'user' ? textOf(last.content) : ''
  return {
    threadId,
    runId,
    said: last === undefined || text.trim() === '' ? null : { id: last.id, text },
    known: new Set(messages.map(one => one.id)),
    state,
  }
}
