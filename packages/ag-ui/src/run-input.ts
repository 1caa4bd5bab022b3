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
/** Of messages before the last one only the id is read, of whatever kind they are. */
const message = z.object({ id, role: z.string().catch(''), content: z.unknown() })
const contentSchema = z.union([z.string(), z.array(part.nullable().catch(null))])

/** What is read of an input of a run; tools of the page and context are not used (AG-UI, RunAgentInput). */
const inputSchema = z.object({
  threadId: id,
  runId: id,
  messages: z.array(message.nullable().catch(null)),
  state: z.json().optional(),
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

type Part = z.output<typeof part>

/** An attachment in words, because the platform takes text of visitors: its address or its name. */
const nameOf = ({ type, filename, source: from, url }: Part): string => {
  const address = url ?? (from?.type === 'url' ? from.value : undefined)
  return `[${[type, filename, address].filter(one => one !== undefined).join(': ')}]`
}

/** A text, or the attachments of a message without any. */
function textOf(content: unknown): string {
  const { data = '' } = contentSchema.safeParse(content)
  if (typeof data === 'string') return data
  const parts = data.flatMap(one => (one === null ? [] : [one]))
  const text = parts.flatMap(({ type, text: said }) => (type === 'text' ? [said ?? ''] : [])).join('\n')
  const others = parts.filter(({ type }) => type !== 'text')
  return text.trim() === '' && others.length > 0 ? others.map(nameOf).join('\n') : text
}

/** Reads the body of a request; null for what is no input of a run. */
export function readRun(body: string): Run | null {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return null
  }
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
