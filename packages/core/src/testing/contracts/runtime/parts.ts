import * as z from 'zod'
import type { RuntimePart } from '../../../ports/agent-runtime.ts'

const name = z.string().min(1)

/** The parts that a runtime may yield, and nothing else in them (ports/agent-runtime.ts). */
const partSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('suggestion'), text: name }),
  z.strictObject({
    type: z.literal('attachment'),
    attachment: z.strictObject({
      title: z.string(),
      contentType: z.enum(['url', 'image']),
      contentUrl: z.string(),
      previewImageUrl: z.string(),
      callToActionText: z.string(),
    }),
  }),
  z.strictObject({ type: z.literal('variable'), key: name, value: z.json() }),
  z.strictObject({ type: z.literal('metric'), name, value: z.string() }),
  z.strictObject({ type: z.literal('topic'), name, cited: z.boolean() }),
  z.strictObject({ type: z.literal('source'), name }),
  z.strictObject({ type: z.literal('node'), name }),
  z.strictObject({ type: z.literal('llm_request'), request: z.record(z.string(), z.json()) }),
  z.strictObject({
    type: z.literal('classification'),
    outOfDomain: z.boolean().optional(),
    silence: z.boolean().optional(),
    intents: z.array(z.string()).optional(),
  }),
  z.strictObject({ type: z.literal('language'), languageCode: name }),
  z.strictObject({ type: z.literal('delayed') }),
  z.strictObject({ type: z.literal('handoff'), destination: name, reason: z.string() }),
  z.strictObject({ type: z.literal('end') }),
])

/** Returns why these are no parts of the port, in words; empty when all are. */
export const objections = (parts: readonly RuntimePart[]): readonly string[] =>
  parts.flatMap(part => {
    const { error } = partSchema.safeParse(part)
    return error === undefined ? [] : [`${JSON.stringify(part)}: ${z.prettifyError(error)}`]
  })

/** Returns the text that parts say together. */
export const textOf = (parts: readonly RuntimePart[]): string =>
  parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('')

/** True when a turn may end with these: words, an attachment, or a reason to have none. */
export const concludes = (parts: readonly RuntimePart[]): boolean =>
  textOf(parts).trim() !== '' ||
  parts.some(
    ({ type }) => type === 'attachment' || type === 'delayed' || type === 'handoff' || type === 'end',
  )
