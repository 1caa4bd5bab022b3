import * as z from 'zod'
import { API_KEY_KINDS } from '../../domain/access/access.ts'
import { DELIVERY_STATUSES } from '../../domain/webhook/webhook.ts'
import { answers, anyObject, count, environment, list, nextCursor, texts, time } from './answer.ts'

const account = z
  .object({ accountId: z.string(), slug: z.string(), name: z.string(), createdAt: time.nullable() })
  .meta({ id: 'Account' })

const useTimes = {
  createdAt: time.nullable(),
  revokedAt: time.nullable(),
  expiresAt: time.nullable(),
  lastUsedAt: time.nullable(),
}

const apiKey = z
  .object({
    id: z.string(),
    kind: z.enum(API_KEY_KINDS),
    prefix: z.string(),
    name: z.string(),
    accountId: z.string().nullable(),
    agentId: z.string().nullable(),
    region: z.string().nullable(),
    permissions: texts.nullable(),
    ...useTimes,
  })
  .meta({ id: 'ApiKey' })

const contextKey = {
  kid: z.string(),
  createdAt: time.nullable(),
  verifiesUntil: time.nullable(),
}

const connector = z
  .object({
    id: z.string(),
    prefix: z.string(),
    name: z.string(),
    accountId: z.string(),
    agentId: z.string(),
    environment,
    hosts: texts,
    variantId: z.string().nullable(),
    handoff: z.object({
      mode: z.enum(['server', 'client']),
      queueName: z.string(),
      timeoutSeconds: z.number(),
    }),
    contextKeys: list(z.object(contextKey)),
    ...useTimes,
  })
  .meta({ id: 'Connector' })

const tokenKeys = z
  .object({
    tokenKeys: list(z.object({ id: z.string(), createdAt: time.nullable(), verifiesUntil: time.nullable() })),
  })
  .meta({ id: 'TokenKeys' })

const auditEntry = z
  .object({
    id: z.string(),
    at: time,
    actor: z.object({ type: z.string(), id: z.string().nullable(), name: z.string() }),
    action: z.string(),
    accountId: z.string().nullable(),
    agentId: z.string().nullable(),
    resource: z.object({ type: z.string(), id: z.string().nullable() }),
    details: anyObject,
    correlationId: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' })

const pooledNumber = z
  .object({
    phoneNumber: z.string(),
    accountId: z.string(),
    agentId: z.string(),
    createdAt: time,
    reservedUntil: time.nullable(),
  })
  .meta({ id: 'PooledNumber' })

const givenNumber = z
  .object({
    phoneNumber: z.string(),
    accountId: z.string(),
    agentId: z.string(),
    environment,
    connectorId: z.string().nullable(),
    createdAt: time,
  })
  .meta({ id: 'GivenPhoneNumber' })

const NUMBER = 'PHONE_NUMBERS_INVALID_PHONE_NUMBER_FORMAT'

const endpoint = z
  .object({
    id: z.string(),
    name: z.string(),
    url: z.string(),
    enabled: z.boolean(),
    event_types: texts,
    headers: z.record(z.string(), z.string()),
    timeout_ms: z.int(),
    created_at: time,
    updated_at: time,
    disabled_reason: z.string().exactOptional(),
    previous_secret_until: time.exactOptional(),
  })
  .meta({ id: 'WebhookEndpoint' })

const delivery = z
  .object({
    id: z.string(),
    eventId: z.string(),
    type: z.string(),
    conversationId: z.string().nullable(),
    status: z.enum(DELIVERY_STATUSES),
    attempts: count,
    nextAttemptAt: time.nullable(),
    lastAttemptAt: time.nullable(),
    lastStatus: z.int().nullable(),
    lastError: z.string().nullable(),
    createdAt: time,
  })
  .meta({ id: 'WebhookDelivery' })

const deliveryDetail = delivery
  .extend({
    sent: z
      .object({
        url: z.string().nullable(),
        at: time.nullable(),
        headers: z.record(z.string(), z.string()),
        body: z.string(),
      })
      .meta({ id: 'SentWebhook' }),
    answer: z
      .object({
        status: z.int(),
        body: z
          .object({
            contentType: z.string().nullable(),
            bytes: count,
            text: z.string().nullable(),
            isCut: z.boolean(),
          })
          .nullable(),
      })
      .meta({ id: 'WebhookAnswer' })
      .nullable(),
  })
  .meta({ id: 'WebhookDeliveryDetail' })

/** The responses of the Operator API (contract/operator.md). */
export const operatorAnswers = {
  createAccount: answers({ 201: account }, 'ACCOUNT_ALREADY_EXISTS'),
  listAccounts: answers({ 200: z.object({ accounts: list(account), ...nextCursor }) }),
  createApiKey: answers(
    { 201: apiKey.extend({ key: z.string() }).meta({ id: 'NewApiKey' }) },
    'ACCOUNT_NOT_FOUND',
    'PROJECT_NOT_FOUND',
    'API_KEY_ALREADY_EXISTS',
  ),
  listApiKeys: answers({ 200: z.object({ apiKeys: list(apiKey), ...nextCursor }) }, 'ACCOUNT_NOT_FOUND'),
  revokeApiKey: answers({ 204: null }, 'API_KEY_NOT_FOUND'),
  createConnector: answers(
    { 201: connector.extend({ token: z.string() }).meta({ id: 'NewConnector' }) },
    'ACCOUNT_NOT_FOUND',
    'PROJECT_NOT_FOUND',
    'VARIANT_NOT_FOUND',
    'CONNECTOR_ALREADY_EXISTS',
  ),
  listConnectors: answers(
    { 200: z.object({ connectors: list(connector), ...nextCursor }) },
    'ACCOUNT_NOT_FOUND',
  ),
  readConnector: answers({ 200: connector }, 'CONNECTOR_NOT_FOUND'),
  updateConnector: answers({ 200: connector }, 'CONNECTOR_NOT_FOUND', 'VARIANT_NOT_FOUND'),
  rotateContextKeys: answers(
    { 201: z.object({ ...contextKey, secret: z.string() }).meta({ id: 'NewContextKey' }) },
    'CONNECTOR_NOT_FOUND',
    'WRITE_CONFLICT',
  ),
  revokeContextKeys: answers({ 204: null }, 'CONNECTOR_NOT_FOUND', 'WRITE_CONFLICT'),
  revokeConnector: answers({ 204: null }, 'CONNECTOR_NOT_FOUND'),
  givePhoneNumbers: answers(
    { 201: z.object({ numbers: list(givenNumber) }) },
    ...([NUMBER, 'PROJECT_NOT_FOUND', 'ACCOUNT_NOT_FOUND'] as const),
    ...(['PHONE_NUMBERS_ALREADY_EXISTS', 'PHONE_NUMBERS_LIMIT'] as const),
    ...(['PHONE_NUMBERS_CONNECTOR_DOES_NOT_EXIST', 'PHONE_NUMBERS_NOT_FOUND', 'WRITE_CONFLICT'] as const),
  ),
  listGivenPhoneNumbers: answers({ 200: z.object({ numbers: list(givenNumber) }) }),
  revokePhoneNumber: answers({ 200: givenNumber }, NUMBER, 'PHONE_NUMBERS_NOT_FOUND'),
  addPooledNumbers: answers(
    { 201: z.object({ added: texts }) },
    ...([NUMBER, 'PROJECT_NOT_FOUND', 'ACCOUNT_NOT_FOUND'] as const),
    ...(['PHONE_NUMBERS_ALREADY_EXISTS', 'PHONE_NUMBERS_LIMIT'] as const),
  ),
  listPooledNumbers: answers({ 200: z.object({ numbers: list(pooledNumber) }) }, 'PROJECT_NOT_FOUND'),
  deletePooledNumber: answers({ 200: z.object({ deleted: z.string() }) }, NUMBER, 'PHONE_NUMBERS_NOT_FOUND'),
  listTokenKeys: answers({ 200: tokenKeys }),
  rotateTokenKeys: answers({ 200: tokenKeys }, 'TOKEN_KEYS_GIVEN'),
  listAuditLog: answers({ 200: z.object({ entries: list(auditEntry), ...nextCursor }) }, 'ACCOUNT_NOT_FOUND'),
}

/** The responses of the routes about webhook endpoints (contract/webhooks.md). */
export const webhookAnswers = {
  createWebhookEndpoint: answers(
    { 201: endpoint.extend({ signing_secret: z.string() }).meta({ id: 'NewWebhookEndpoint' }) },
    'WEBHOOK_ENDPOINT_LIMIT',
  ),
  listWebhookEndpoints: answers({
    200: z.object({ data: list(endpoint), cursor: z.string().exactOptional() }),
  }),
  readWebhookEndpoint: answers({ 200: endpoint }, 'WEBHOOK_ENDPOINT_NOT_FOUND'),
  updateWebhookEndpoint: answers({ 200: endpoint }, 'WEBHOOK_ENDPOINT_NOT_FOUND'),
  deleteWebhookEndpoint: answers({ 204: null }, 'WEBHOOK_ENDPOINT_NOT_FOUND'),
  rotateWebhookSecret: answers(
    { 200: z.object({ signing_secret: z.string() }) },
    'WEBHOOK_ENDPOINT_NOT_FOUND',
  ),
  testWebhookEndpoint: answers(
    { 202: delivery },
    'WEBHOOK_ENDPOINT_NOT_FOUND',
    'WEBHOOK_DELIVERY_CONFLICT',
    'NOT_IMPLEMENTED',
  ),
  listWebhookDeliveries: answers(
    { 200: z.object({ deliveries: list(delivery), cursor: z.string().nullable() }) },
    'WEBHOOK_ENDPOINT_NOT_FOUND',
  ),
  readWebhookDelivery: answers(
    { 200: deliveryDetail },
    'WEBHOOK_ENDPOINT_NOT_FOUND',
    'WEBHOOK_DELIVERY_NOT_FOUND',
  ),
  resendWebhookDelivery: answers(
    { 202: delivery },
    'WEBHOOK_ENDPOINT_NOT_FOUND',
    'WEBHOOK_DELIVERY_NOT_FOUND',
    'WEBHOOK_DELIVERY_CONFLICT',
    'NOT_IMPLEMENTED',
  ),
}
