import * as z from 'zod'
import { onFirstUse } from '../../domain/on-first-use.ts'
import { RECORDING_DIRECTIONS } from '../../ports/recordings.ts'
import { text } from '../shared/arguments.ts'
import { environmentSchema } from '../shared/environment.ts'
import { oneOf } from '../shared/one-of.ts'

const scope = { accountId: text, agentId: text, environment: environmentSchema }
const variants = { variantId: text.exactOptional(), variantName: text.exactOptional() }
/** The deployment that the newest turn ran on: of a rollout, its base or candidate (RO10). */
const deploymentId = text.exactOptional()
const speaker = z.enum(['user', 'agent', 'either'])

/** The filter of records by fields of the index alone. */
export const plainFilterSchema = onFirstUse(() =>
  z.object({
    ...scope,
    ...variants,
    deploymentId,
    startTime: z.number().exactOptional(),
    endTime: z.number().exactOptional(),
    inProgress: z.boolean().exactOptional(),
    channels: z.array(text).exactOptional(),
    topic: text.exactOptional(),
  }),
)

/** The filter of records. */
export const recordFilterSchema = onFirstUse(() =>
  plainFilterSchema().extend({ words: z.object({ words: z.array(text), speaker }).exactOptional() }),
)

/** The same, or those that mean about the same as a text. */
export const recordQuerySchema = onFirstUse(() =>
  recordFilterSchema().extend({ semantic: z.object({ text, speaker }).exactOptional() }),
)

/** The start of a page. */
export const positionSchema = z.object({
  offset: z.number().exactOptional(),
  after: z.object({ startedAt: z.number(), id: text }).exactOptional(),
})

/** The recording of a conversation to read. */
export const recordingWantedSchema = onFirstUse(() =>
  z.object({
    ...{ accountId: text, agentId: text, conversationId: text },
    direction: z.enum(RECORDING_DIRECTIONS),
    redacted: z.boolean(),
  }),
)

/** The conversations to count, and the span. */
export const concurrencySchema = onFirstUse(() =>
  z.object({
    ...scope,
    ...variants,
    deploymentId,
    startTime: z.number(),
    endTime: z.number(),
    language: text.exactOptional(),
    phoneNumber: text.exactOptional(),
    sliceBy: oneOf(['variant', 'deployment']).exactOptional(),
  }),
)

/** The conversation of an agent. */
export const handoffStateSchema = onFirstUse(() =>
  z.object({ accountId: text, agentId: text, id: text.exactOptional(), sharedId: text.exactOptional() }),
)
