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

/** What is read of an input of a run; tools of the page and context are not used (AG-UI, RunAgentInput). */
const inputSchema = z.object({
  threadId: id,
  runId: id,
  messages: z.array(message).max(10_000),
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

const textOf = (content: z.output<typeof message>['content']): string =>
  typeof content === 'string'
    ? content
    : (content ?? []).flatMap(one => ('text' in one ? [one.text] : [])).join('\n')

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
