import { millisecondsInMinute } from 'date-fns/constants'
import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { onFirstUse } from '../../domain/on-first-use.ts'
import { utf8Bytes } from '../../domain/utf8-bytes.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'
import { checked } from '../shared/checked.ts'
import { environmentSchema } from '../shared/environment.ts'
import { jsonObject } from '../shared/json-object.ts'

/** The last millisecond that ISO 8601 writes with four digits of a year. */
const END_OF_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** The time by which a host's clock may be ahead of the platform's, milliseconds. */
const CLOCK_AHEAD = millisecondsInMinute

/** Returns the schemas of the fields that several parts of an import have. */
function fieldsOf() {
  const time = z
    .int('must be milliseconds since the epoch, a whole number')
    .min(0, 'must not be before 1970')
    .max(END_OF_TIME, 'must not be after the year 9999')
  const conversationId = z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}$/,
      'must be 1 to 128 letters, digits, dots, underscores, colons, @ or hyphens, and begin with a letter or digit',
    )
  const name = z.string().min(1, 'must not be empty').max(200, 'must have at most 200 characters')
  const text = z.string()
  const number = z.string().max(100, 'must have at most 100 characters')
  const duration = z.number().min(0, 'must not be negative').max(END_OF_TIME)
  const written = {
    /** Values of the dialogue state, written over those of the same name. */
    variables: jsonObject.exactOptional(),
    metrics: z.record(z.string(), z.union([text, z.array(text).min(1)])).exactOptional(),
  }
  return { conversationId, duration, name, number, text, time, written }
}
type Fields = ReturnType<typeof fieldsOf>

const startOf = ({ conversationId, name, number, time }: Fields) =>
  z.object({
    /** The prefixed form. */
    accountId: name,
    agentId: name,
    environment: environmentSchema,
    /** For example `VOICE-SIP`. */
    channel: z.string().min(1, 'must not be empty').max(100, 'must have at most 100 characters'),
    /**
     * The host's own id of the conversation, one of the agent's; with it the call can be made again.
     * @default a new UUID
     */
    conversationId: conversationId.exactOptional(),
    /** @default now */
    startedAt: time.exactOptional(),
    /** One of the active deployment's variants. @default its default variant */
    variantId: name.exactOptional(),
    /** @default "" */
    fromNumber: number.exactOptional(),
    /** @default "" */
    toNumber: number.exactOptional(),
    /** @default the active deployment's language */
    language: z.string().min(2).max(35).exactOptional(),
    /** @default "inbound" */
    direction: z.enum(['inbound', 'outbound'], 'must be inbound or outbound').exactOptional(),
    /** @default {} */
    integrationAttributes: jsonObject.exactOptional(),
  })

const turnOf = ({ conversationId, duration, name, text, time, written }: Fields) =>
  z
    .object({
      /** The agent that owns the conversation. Another agent may have one of the same id. */
      agentId: name,
      conversationId,
      turnId: name,
      userInput: text.exactOptional(),
      userInputDtmf: z
        .string()
        .regex(/^[0-9A-D*#]*$/i, 'must be digits, A to D, * and #')
        .exactOptional(),
      userInputAt: time,
      agentResponse: text.exactOptional(),
      agentResponseAt: time.exactOptional(),
      latency: duration.exactOptional(),
      translatedUserInput: text.exactOptional(),
      englishAgentResponse: text.exactOptional(),
      intents: z.array(text).exactOptional(),
      entities: z.array(z.record(z.string(), z.union([text, z.array(text)]))).exactOptional(),
      outOfDomain: z.boolean().exactOptional(),
      silence: z.boolean().exactOptional(),
      ...written,
      functionEvents: z.array(jsonObject).exactOptional(),
      llmRequests: z.array(jsonObject).exactOptional(),
      retrievedTopics: z.array(text).exactOptional(),
      retrievedSources: z.array(text).exactOptional(),
      citedTopic: text.exactOptional(),
      nodeTrace: z.array(text).exactOptional(),
    })
    .refine(({ userInputAt, agentResponseAt = userInputAt }) => agentResponseAt >= userInputAt, {
      path: ['agentResponseAt'],
      message: 'must not be before userInputAt',
    })

const finishOf = ({ conversationId, duration, name, time, written }: Fields) =>
  z.object({
    /** The agent that owns the conversation. Another agent may have one of the same id. */
    agentId: name,
    conversationId,
    finishedAt: time.exactOptional(),
    reason: z
      .enum(
        ['REASON_USER_END', 'REASON_USER_ABANDONED', 'REASON_NATURAL_END'],
        'must be REASON_USER_END, REASON_USER_ABANDONED or REASON_NATURAL_END',
      )
      .exactOptional(),
    handoff: z
      .object({ destination: name, reason: z.string().max(1000, 'must have at most 1000 characters') })
      .exactOptional(),
    aiDuration: duration.exactOptional(),
    ...written,
  })

export const recordingSchemas = onFirstUse(() => {
  const fields = fieldsOf()
  return { start: startOf(fields), turn: turnOf(fields), finish: finishOf(fields) }
})
type Schemas = ReturnType<typeof recordingSchemas>

/** A conversation that begins in a host's own channel. Times are milliseconds since the epoch. */
export type RecordingStart = InputOf<Schemas['start']>
/** One turn of it. Missing fields are empty, or false. */
export type RecordingTurn = InputOf<Schemas['turn']>
/** Its end. */
export type RecordingFinish = InputOf<Schemas['finish']>

/** A start, a turn and an end that have passed their schemas. */
export type CheckedStart = z.output<Schemas['start']>
export type CheckedTurn = z.output<Schemas['turn']>
export type CheckedFinish = z.output<Schemas['finish']>

/** The outcome of a call: it took effect now, or had taken effect before and changed nothing. */
export interface Recorded {
  readonly conversationId: ConversationId
  readonly status: 'recorded' | 'duplicate'
}

const invalid = (message: string) => new PlatformError('SCHEMA_VALIDATION_FAILED', message)

/** A value that cannot be JSON, such as a circular one, must not reach the schemas, which would follow it for ever. */
function refuseSize(input: unknown, limit: number): void {
  let json: string | undefined
  try {
    json = JSON.stringify(input)
  } catch (cause) {
    throw new PlatformError('SCHEMA_VALIDATION_FAILED', 'value: must be JSON.', { cause })
  }
  const bytes = utf8Bytes(json ?? '')
  if (bytes > limit)
    throw invalid(`value: must have at most ${limit} bytes as JSON (limits.recordingBytes), has ${bytes}.`)
}

function refuseFuture(now: number, times: Readonly<Record<string, number | undefined>>): void {
  for (const [field, at = 0] of Object.entries(times)) {
    if (at > now + CLOCK_AHEAD) {
      throw invalid(
        `${field}: must not lie in the future, as milliseconds since the epoch; it is ${now} now.`,
      )
    }
  }
}

type Checking = Pick<Context, 'clock' | 'settings'>

/** Parses one of several parts of an import. @throws SCHEMA_VALIDATION_FAILED */
export function checkedRecording<Schema extends z.ZodType>(
  { settings }: Checking,
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  refuseSize(input, settings.limits.recordingBytes)
  return checked(schema, input)
}

/** @throws SCHEMA_VALIDATION_FAILED */
export function refuseStart({ clock, settings }: Checking, start: CheckedStart): void {
  refuseSize(start, settings.limits.recordingBytes)
  refuseFuture(clock.now(), { startedAt: start.startedAt })
}

/** @throws SCHEMA_VALIDATION_FAILED */
export function refuseTurn({ clock, settings }: Checking, turn: CheckedTurn): void {
  refuseSize(turn, settings.limits.recordingBytes)
  refuseFuture(clock.now(), { userInputAt: turn.userInputAt, agentResponseAt: turn.agentResponseAt })
}

/** @throws SCHEMA_VALIDATION_FAILED */
export function refuseFinish({ clock, settings }: Checking, finish: CheckedFinish): void {
  refuseSize(finish, settings.limits.recordingBytes)
  refuseFuture(clock.now(), { finishedAt: finish.finishedAt })
}
