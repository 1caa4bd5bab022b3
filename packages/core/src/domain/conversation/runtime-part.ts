import * as z from 'zod'
import { PlatformError } from '../../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import { onFirstUse } from '../on-first-use.ts'
import { parse } from '../parse.ts'

/** Arrays and objects of a value within each other, at most. */
const DEPTH = 100

/** True for what JSON can hold; a field that is undefined is left out of JSON. */
function isJson(value: unknown, depth = DEPTH): boolean {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true
  if (typeof value !== 'object' || depth === 0) return false
  return Object.values(value).every(inner => inner === undefined || isJson(inner, depth - 1))
}

const json = z.custom<Json>(value => isJson(value), 'expected a value that JSON can hold')
const jsonObject = z.custom<JsonObject>(
  value => typeof value === 'object' && value !== null && !Array.isArray(value) && isJson(value),
  'expected an object that JSON can hold',
)

/** Clients drop a whole list for one element that they cannot read, so each is checked before it goes out (MS36). */
export const attachmentSchema = z
  .object({
    title: z.string(),
    contentType: z.enum(['url', 'image']),
    contentUrl: z.string().min(1),
    previewImageUrl: z.string(),
    callToActionText: z.string(),
  })
  .readonly()

export const callActionSchema = z
  .object({
    title: z.string().min(1).max(500),
    /** As it is to be dialled, for example `+44 20 7946 0018`. */
    contactNumber: z.string().min(1).max(100),
  })
  .readonly()

/**
 * An answer that the visitor may give with a tap; `payload` is a text that clients get beside the one that is shown.
 */
export const suggestionSchema = z.object({
  type: z.literal('suggestion'),
  text: z.string(),
  payload: z.string().exactOptional(),
})

const schemas = onFirstUse(() => {
  const parts = [
    z.object({ type: z.literal('text'), text: z.string() }),
    suggestionSchema,
    z.object({ type: z.literal('attachment'), attachment: attachmentSchema }),
    z.object({ type: z.literal('call_action'), action: callActionSchema }),
    z.object({ type: z.literal('variable'), key: z.string(), value: json }),
    z.object({ type: z.literal('metric'), name: z.string(), value: z.string() }),
    z.object({ type: z.literal('integration_attribute'), key: z.string(), value: json }),
    /** Another value of an attribute, for this conversation alone. */
    z.object({ type: z.literal('variant_attribute'), name: z.string(), value: z.string() }),
    /** A topic that was retrieved for the reply; `cited` when the reply rests on it. */
    z.object({ type: z.literal('topic'), name: z.string(), cited: z.boolean() }),
    z.object({ type: z.literal('source'), name: z.string() }),
    /** A step of the runtime's own flow, for debug chat's `nodeTrace`. */
    z.object({ type: z.literal('node'), name: z.string() }),
    z.object({ type: z.literal('llm_request'), request: jsonObject }),
    z.object({
      type: z.literal('classification'),
      outOfDomain: z.boolean().exactOptional(),
      silence: z.boolean().exactOptional(),
      intents: z.array(z.string()).readonly().exactOptional(),
    }),
    z.object({ type: z.literal('language'), languageCode: z.string() }),
    /** The reply comes later, when an expected external event has come. The turn needs no text then. */
    z.object({ type: z.literal('delayed') }),
    z.object({ type: z.literal('handoff'), destination: z.string(), reason: z.string() }),
    z.object({ type: z.literal('end') }),
  ] as const
  return { part: z.discriminatedUnion('type', parts), types: parts.map(({ shape }) => shape.type.value) }
})

/** A button or card below a message. */
export type Attachment = z.output<typeof attachmentSchema>

/** A number that the visitor may call, shown as a button below a message. */
export type CallAction = z.output<typeof callActionSchema>

/** A part of a runtime's response. Text parts are joined as they are. */
export type RuntimePart = Readonly<z.output<ReturnType<typeof schemas>['part']>>

const typeOf = (part: unknown): unknown =>
  typeof part === 'object' && part !== null && 'type' in part ? part.type : undefined

/** Nearly every part is text: checking it against the schema would take longer than sending it. */
const isText = (part: unknown): part is Extract<RuntimePart, { type: 'text' }> =>
  typeof part === 'object' &&
  part !== null &&
  'type' in part &&
  part.type === 'text' &&
  'text' in part &&
  typeof part.text === 'string'

/**
 * Returns what a runtime gave if it is a part (EM6).
 * @throws SCHEMA_VALIDATION_FAILED with the error and the allowed values
 */
export function checkedPart(part: unknown): RuntimePart {
  if (isText(part)) return part
  const type = typeOf(part)
  const { part: schema, types } = schemas()
  if (types.some(known => known === type)) return parse(schema, part, `runtime's ${String(type)} part field`)
  const given =
    type === undefined ? 'something without a type' : `a part of the unknown type ${JSON.stringify(type)}`
  const message = `The agent runtime gave ${given}. A part has one of the types ${types.join(', ')}.`
  throw new PlatformError('SCHEMA_VALIDATION_FAILED', message)
}
