import { onTestFinished } from 'vitest'
import * as z from 'zod'
import { createSignal } from './signal.ts'

const frameSchema = z.looseObject({
  id: z.string(),
  sequence: z.number().nullable(),
  type: z.string(),
  payload: z.looseObject({
    text: z.string().optional(),
    message: z.string().optional(),
    events: z.array(z.looseObject({ sequence: z.number().nullable(), type: z.string() })).optional(),
  }),
})

/** The fields of one event of a stream. */
export interface StreamPart {
  readonly name: string
  readonly id: string | null
  readonly data: string
}

/** One event of a stream as a browser reads it; null for a comment, and for what has no data. */
export function readPart(text: string): StreamPart | null {
  const fields = text.split('\n').map(line => /^([^:]*):? ?(.*)$/s.exec(line) ?? [])
  const all = (name: string): readonly string[] =>
    fields.filter(([, field]) => field === name).map(([, , value = '']) => value)
  const data = all('data')
  if (data.length === 0) return null
  return { name: all('event')[0] ?? 'message', id: all('id')[0] ?? null, data: data.join('\n') }
}

/** Reads a stream as it comes. */
export function readStream(response: Response) {
  const parts: StreamPart[] = []
  const comments: string[] = []
  const signal = createSignal()
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (reader === undefined) throw new Error(`There is no stream: ${response.status}.`)
  let over = false
  const read = async (): Promise<void> => {
    let rest = ''
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      rest += next.value
      const texts = rest.split('\n\n')
      rest = texts.pop() ?? ''
      for (const text of texts) {
        const part = readPart(text)
        if (part === null) comments.push(text)
        else parts.push(part)
      }
      signal.changed()
    }
  }
  const gone = read()
    .catch(() => {})
    .then(() => {
      over = true
      signal.changed()
    })
  const cancel = (): Promise<void> => reader.cancel().catch(() => {})
  onTestFinished(cancel)
  const frames = () =>
    parts.filter(({ name }) => name === 'message').map(({ data }) => frameSchema.parse(JSON.parse(data)))
  const named = (name: string): unknown => {
    const found = parts.find(part => part.name === name)
    return found === undefined ? null : JSON.parse(found.data)
  }
  return {
    parts,
    comments,
    frames,
    /** Sequences of the log as they came, batches unfolded. */
    sequences: (): readonly (number | null)[] =>
      frames().flatMap(({ sequence, payload: { events } }) =>
        events === undefined ? [sequence] : events.map(event => event.sequence),
      ),
    /** Returns the id that a browser would send when it reconnects. */
    lastEventId: () => parts.findLast(({ id }) => id !== null)?.id ?? null,
    stream: () => z.object({ stream: z.string() }).parse(named('open')).stream,
    closedBy: () => z.object({ code: z.number(), reason: z.string() }).nullable().parse(named('close')),
    isOver: () => over,
    gone,
    cancel,
    until: (wanted: () => boolean): Promise<void> => signal.until(wanted),
  }
}
