import * as z from 'zod'

const LONGEST_ID = 200
const LONGEST_ADDRESS = 2_000
/** Messages whose ids are read, the newest. */
const MOST_MESSAGES = 10_000
const id = z.string().min(1).max(LONGEST_ID)

const source = z.object({ type: z.string(), value: z.string().max(LONGEST_ADDRESS) })
const name = z.string().max(LONGEST_ID).optional().catch(undefined)
const part = z.object({
  type: z.string(),
  text: z.string().optional().catch(undefined),
  filename: name,
  source: source.optional().catch(undefined),
  url: z.string().max(LONGEST_ADDRESS).optional().catch(undefined),
})
/** Only the id is read of messages before the last one, so they may be of any kind. */
const message = z.object({ id, role: z.string().catch(''), content: z.unknown() })
const contentSchema = z.union([z.string(), z.array(part.nullable().catch(null))])

/** Arrays and objects within each other. */
const MOST_LEVELS = 32

/** The fields that are read of a run's input. Tools of the page and context are not used (AG-UI, RunAgentInput). */
const inputSchema = z.object({
  threadId: id,
  runId: id,
  messages: z.array(message.nullable().catch(null)),
  // Not walked: its own part of it is read by name, and the rest goes back as it came.
  state: z.unknown().optional(),
})

/** The request of a run. */
export interface Run {
  readonly threadId: string
  readonly runId: string
  /** The visitor's message; null if the page only asks for new events. */
  readonly said: { readonly id: string; readonly text: string } | null
  /** The ids of what the page has. */
  readonly known: ReadonlySet<string>
  readonly state: z.output<typeof inputSchema>['state']
}

type Part = z.output<typeof part>

/** Returns an attachment in words, because the platform takes text of visitors: its address or its name. */
const nameOf = ({ type, filename, source: from, url }: Part): string => {
  const address = url ?? (from?.type === 'url' ? from.value : undefined)
  return `[${[type, filename, address].filter(one => one !== undefined).join(': ')}]`
}

/** Returns a text, or the attachments of a message without any. */
function textOf(content: unknown): string {
  const { data = '' } = contentSchema.safeParse(content)
  if (typeof data === 'string') return data
  const parts = data.flatMap(one => (one === null ? [] : [one]))
  const text = parts.flatMap(({ type, text: said }) => (type === 'text' ? [said ?? ''] : [])).join('\n')
  const others = parts.filter(({ type }) => type !== 'text')
  return text.trim() === '' && others.length > 0 ? others.map(nameOf).join('\n') : text
}

/** True for JSON text that nests deeper than is read. A text without an end is as deep as it gets. */
export function isDeep(text: string): boolean {
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

/** True for an input with a larger state than is read. */
function isLarge(json: unknown, stateLength: number): boolean {
  if (typeof json !== 'object' || json === null) return false
  return 'state' in json && (JSON.stringify(json.state) ?? '').length > stateLength
}

/** Reads the body of a request; null for what is no input of a run. */
export function readRun(body: string, stateLength: number): Run | null {
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
  const newest = messages.slice(-MOST_MESSAGES)
  const last = newest.at(-1) ?? undefined
  const text = last?.role === 'user' ? textOf(last.content) : ''
  return {
    threadId,
    runId,
    said: last === undefined || text.trim() === '' ? null : { id: last.id, text },
    known: new Set(newest.flatMap(one => (one === null ? [] : [one.id]))),
    state,
  }
}
