import * as z from 'zod'
import type { Family } from '../../domain/family.ts'
import type { ErrorCode } from '../../errors.ts'
import type { Route } from '../route.ts'
import { difference, mergePreview } from './agents.ts'
import { list } from './answer.ts'
import { debugTurn } from './conversing.ts'

const envelope = z
  .object({
    success: z.literal(false),
    error: z.string(),
    error_id: z.string(),
    error_code: z.string(),
    error_message: z.string(),
    /** The failed turn of a debug chat. */
    data: debugTurn.nullable(),
    /** Set if a merge has conflicts. */
    hasConflicts: z.boolean().exactOptional(),
    conflicts: list(difference).exactOptional(),
    errors: list(z.unknown()).exactOptional(),
    /** The newest test run, for a deployment whose tests have not passed. Null without one. */
    testRunId: z.string().nullable().exactOptional(),
    replayId: z.string().nullable().exactOptional(),
    /** The rollout that shares the environment, for a deployment there meanwhile. */
    rolloutId: z.string().exactOptional(),
    /** The fields that somebody else has changed, for a conflicting change of content. */
    changed: list(z.string()).exactOptional(),
    /** The input at fault: fields, phone numbers, or JSON pointers of a schema or of variables. */
    about: list(z.string()).exactOptional(),
    /** The merge as it would be now, if it differs from the one that was previewed. */
    preview: mergePreview.exactOptional(),
  })
  .meta({ id: 'ErrorEnvelope' })

const messageOnly = z.object({ error_message: z.string() }).meta({ id: 'ErrorMessage' })

const detail = z
  .object({
    detail: list(z.object({ loc: list(z.union([z.string(), z.int()])), msg: z.string(), type: z.string() })),
  })
  .meta({ id: 'ErrorDetail' })

const detailOnly = z.object({ detail: z.string() }).meta({ id: 'ErrorText' })

const coded = z
  .object({ success: z.literal(false), error: z.string(), message: z.string() })
  .meta({ id: 'ErrorCoded' })

const named = z.object({ error: z.string(), code: z.string() }).meta({ id: 'ErrorNamed' })

const messageTwice = z.object({ message: z.string(), error: z.string() }).meta({ id: 'MessagingError' })

/** The shape of an error in each family (contract/errors.md, Bodies). */
const ERROR_SCHEMA = {
  agents: envelope,
  'debug-chat': envelope,
  chat: envelope,
  'conversations-v1': messageOnly,
  'conversations-v3': envelope,
  concurrency: messageOnly,
  'external-events': messageOnly,
  messaging: messageTwice,
  operator: envelope,
  desk: envelope,
  webhooks: envelope,
  alerts: envelope,
  texts: detailOnly,
  calls: named,
  'handoff-state': messageOnly,
  'number-reservation': coded,
} as const satisfies Readonly<Record<Family, z.ZodType>>

/** Returns the shape of an error in a family. A code with a body of its own has it in all of them. */
export const errorSchema = (family: Family, code: ErrorCode): z.ZodType =>
  code === 'ALERT_RULE_INVALID' ? detail : ERROR_SCHEMA[family]

/** Refusals of the server before there is a route, and what may come of anything. */
const ALWAYS: readonly ErrorCode[] = [
  ...(['HOST_WITHOUT_REGION', 'ROUTE_NOT_FOUND', 'REQUEST_TIMEOUT', 'EXPECTATION_FAILED'] as const),
  ...(['RATE_LIMITED', 'HEADERS_TOO_LARGE', 'INTERNAL', 'PLATFORM_CLOSED', 'STORE_BUSY'] as const),
]

const BODY: readonly ErrorCode[] = ['BODY_TOO_LARGE', 'UNSUPPORTED_CONTENT_TYPE', 'BODY_READ_BEFORE']

/** Every name stands for itself: what a route names of its path and query shows. */
const names = new Proxy({}, { get: (_, name) => String(name) })

/**
 * Returns the refusals that follow from a route's definition, in the order in which requests are checked
 * (contract/errors.md, Requests).
 */
export function commonErrors(route: Route): readonly ErrorCode[] {
  const { method, path, credential, body, invalid, invalidFields = {} } = route
  const scope = route.scope?.({ params: names, readQuery: () => names })
  const writes = method !== 'GET'
  const ofBranch = path.includes('/:branchId')
  return [
    ...ALWAYS,
    'SCHEMA_VALIDATION_FAILED',
    ...(invalid === undefined ? [] : [invalid]),
    ...Object.values(invalidFields),
    ...(credential === 'own' ? [] : (['AUTH_USER_UNAUTHORISED', 'USER_ACCESS_FORBIDDEN'] as const)),
    ...(credential === 'key_and_line' || credential === 'line_key'
      ? (['CONNECTORS_NOT_FOUND'] as const)
      : []),
    ...(scope === undefined ? [] : (['ACCOUNT_NOT_FOUND', 'PROJECT_NOT_FOUND'] as const)),
    ...(ofBranch ? (['BRANCH_NOT_FOUND'] as const) : []),
    ...(ofBranch && writes ? (['MAIN_BRANCH_READ_ONLY'] as const) : []),
    ...(route.admitPage === undefined ? [] : (['MESSAGING_ORIGIN'] as const)),
    ...(route.refusesPlainText === true ? (['MESSAGING_INSECURE'] as const) : []),
    ...(body === null ? [] : BODY),
    ...(writes ? (['WRITE_CONFLICT'] as const) : []),
  ]
}
