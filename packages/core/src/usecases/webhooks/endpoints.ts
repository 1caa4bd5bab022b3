import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import type { AuditAction } from '../../domain/audit/audit.ts'
import { originOf } from '../../domain/audit/details.ts'
import type { AccountId, WebhookEndpointId } from '../../domain/ids.ts'
import {
  type EndpointChange,
  eventTypeSchema,
  type NewEndpoint,
  overlapSecondsSchema,
} from '../../domain/webhook/schemas.ts'
import { brandedHeaders, composeWebhookSecret } from '../../domain/webhook/signature.ts'
import { endpointInfo, type WebhookEndpoint, type WebhookEndpointInfo } from '../../domain/webhook/webhook.ts'
import { PlatformError } from '../../errors.ts'
import { findAccount } from '../access/find-owner.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import type { Acting, Context } from '../context.ts'
import { type PageEnd, pageFields, readOldestFirst } from '../shared/page.ts'
import { untilWritten } from '../shared/until-written.ts'
import { endpointChange, endpointSettings, endpointSubject } from './endpoint-audit.ts'

const NO_SENDER = 'this process has no webhook sender'

/** Refuses an address that can never be sent to. */
function checkUrl({ webhookSender }: Context, url: string): void {
  const objection =
    webhookSender === null
      ? url.startsWith('https:')
        ? null
        : 'expected an https address'
      : webhookSender.objection(url)
  if (objection !== null)
    throw new PlatformError('SCHEMA_VALIDATION_FAILED', `The field "url" is not valid: ${objection}.`)
}

/** Refuses headers that the platform sets itself; the others the schema has refused. */
function checkHeaders({ settings }: Context, headers: Readonly<Record<string, string>>): void {
  const ours = Object.values(brandedHeaders(settings.brand)).map(name => name.toLowerCase())
  const taken = Object.keys(headers).find(name => ours.includes(name.toLowerCase()))
  if (taken === undefined) return
  const wrong = `the header "${taken}" cannot be set: it belongs to the request itself`
  const message = `The field "headers" is not valid: ${wrong}.`
  throw new PlatformError('SCHEMA_VALIDATION_FAILED', message)
}

/** See `Webhooks.createEndpoint`. */
export async function createEndpoint(
  context: Acting,
  accountId: string,
  input: NewEndpoint,
): Promise<WebhookEndpoint> {
  const { store, ids, clock, settings, log } = context
  const { name, url, eventTypes, ...rest } = input
  const { headers = {}, timeout = settings.webhooks.timeout, enabled = true } = rest
  const account = await findAccount(context, accountId)
  checkUrl(context, url)
  checkHeaders(context, headers)
  const now = clock.now()
  const endpoint: WebhookEndpoint = {
    id: `whe_${ids.short()}`,
    accountId: account.id,
    name,
    url,
    eventTypes,
    headers,
    timeout,
    enabled,
    disabledReason: null,
    secret: composeWebhookSecret(ids.secret()),
    previousSecret: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  const limit = settings.webhooks.endpoints
  const entry = auditEntry(context, 'webhook_endpoint.created', {
    ...endpointSubject(endpoint),
    details: endpointSettings(endpoint),
  })
  const result = await store.webhooks.endpoints.create(endpoint, limit, { audit: entry })
  if (result === 'full') {
    const message = `The account has ${limit} webhook endpoints, and more are not allowed. Delete one first.`
    throw new PlatformError('WEBHOOK_ENDPOINT_LIMIT', message)
  }
  if (result === 'taken') throw new Error(`The id ${endpoint.id} came twice.`)
  if (context.webhookSender === null)
    log.warn(`Events for a webhook endpoint are kept and not sent: ${NO_SENDER}`, { endpointId: endpoint.id })
  return endpoint
}

/** A page of webhook endpoints, oldest first. */
export interface EndpointPage extends PageEnd {
  readonly endpoints: readonly WebhookEndpointInfo[]
}

/** The schema of {@link EndpointQuery}. */
export const endpointQuerySchema = z.object({
  ...pageFields,
  /** @default both */
  enabled: z.boolean().exactOptional(),
  /** Only those that are subscribed to it. @default all */
  eventType: eventTypeSchema.exactOptional(),
})

/** The filter of a list of endpoints, and its page. */
export type EndpointQuery = InputOf<typeof endpointQuerySchema>

/** See `Webhooks.endpoints`. */
export async function listEndpoints(
  { store }: Context,
  accountId: AccountId,
  { limit, cursor: from, ...conditions }: EndpointQuery,
): Promise<EndpointPage> {
  const { values: endpoints, cursor } = await readOldestFirst({ limit, cursor: from }, (filter, limit) =>
    store.webhooks.endpoints.list(accountId, { ...conditions, ...filter }, limit),
  )
  return { endpoints: endpoints.map(endpointInfo), cursor }
}

/** Returns the account's endpoint. @throws WEBHOOK_ENDPOINT_NOT_FOUND also for one of another account */
export async function findEndpoint(
  { store }: Context,
  accountId: AccountId,
  id: WebhookEndpointId,
): Promise<WebhookEndpoint> {
  const endpoint = await store.webhooks.endpoints.find(accountId, id)
  if (endpoint !== null) return endpoint
  throw new PlatformError('WEBHOOK_ENDPOINT_NOT_FOUND', 'The account has no webhook endpoint of that id.')
}

/** Changes an endpoint, and decides again when another change came first: concurrent changes all take effect. */
async function change(
  context: Acting,
  { accountId, id }: Pick<WebhookEndpoint, 'accountId' | 'id'>,
  action: AuditAction,
  decide: (endpoint: WebhookEndpoint, now: number) => WebhookEndpoint,
): Promise<WebhookEndpoint> {
  const conflict = () =>
    new PlatformError('WRITE_CONFLICT', 'The webhook endpoint is being changed too often. Try again.')
  return untilWritten(conflict, async () => {
    const before = await findEndpoint(context, accountId, id)
    const now = context.clock.now()
    const next = { ...decide(before, now), version: before.version + 1, updatedAt: now }
    const entry = auditEntry(context, action, endpointChange(before, next))
    const written = await context.store.webhooks.endpoints.update(before.version, next, { audit: entry })
    return written === 'written' ? next : 'stale'
  })
}

/** See `Webhooks.updateEndpoint`. */
export async function updateEndpoint(
  context: Acting,
  accountId: AccountId,
  id: WebhookEndpointId,
  next: EndpointChange,
): Promise<WebhookEndpoint> {
  if (next.url !== undefined) checkUrl(context, next.url)
  if (next.headers !== undefined) checkHeaders(context, next.headers)
  return change(context, { accountId, id }, 'webhook_endpoint.changed', before => ({
    ...before,
    ...next,
    disabledReason: next.enabled === undefined ? before.disabledReason : null,
  }))
}

/** The schema of {@link SecretRotation}. */
export const secretRotationSchema = z.object({
  /**
   * The time for which the earlier secret still signs in the headers that can carry both, 0 to 2,592,000 seconds.
   * @default `Settings.webhooks.secretOverlap`
   */
  overlapSeconds: overlapSecondsSchema.exactOptional(),
})

/** The options of a rotation of a secret. */
export type SecretRotation = InputOf<typeof secretRotationSchema>

/** See `Webhooks.rotateSecret`. */
export async function rotateSecret(
  context: Acting,
  accountId: AccountId,
  id: WebhookEndpointId,
  { overlapSeconds: seconds }: SecretRotation,
): Promise<WebhookEndpoint> {
  const secret = composeWebhookSecret(context.ids.secret())
  const overlap = seconds === undefined ? context.settings.webhooks.secretOverlap : seconds * 1000
  return change(context, { accountId, id }, 'webhook_endpoint.secret_rotated', (before, now) => ({
    ...before,
    secret,
    previousSecret: overlap === 0 ? null : { secret: before.secret, until: now + overlap },
  }))
}

/** See `Webhooks.deleteEndpoint`. */
export async function deleteEndpoint(
  context: Acting,
  accountId: AccountId,
  id: WebhookEndpointId,
): Promise<void> {
  const endpoint = await findEndpoint(context, accountId, id)
  const entry = auditEntry(context, 'webhook_endpoint.deleted', {
    ...endpointSubject(endpoint),
    details: { url: originOf(endpoint.url) },
  })
  if (await context.store.webhooks.endpoints.delete(accountId, id, { audit: entry })) return
  throw new PlatformError('WEBHOOK_ENDPOINT_NOT_FOUND', 'The account has no webhook endpoint of that id.')
}
