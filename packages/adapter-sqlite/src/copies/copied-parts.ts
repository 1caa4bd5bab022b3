import type { AnyConnector } from '@colloquy/core'
import {
  type CopiedKind,
  type CopiedParts,
  type CopyKey,
  OUTBOUND_CALL,
  TEXT_PAIR,
  VOICE,
} from '@colloquy/core/store'
import { toAccount } from '../access/accounts.ts'
import { fromApiKey, toApiKey } from '../access/api-keys.ts'
import { AUDIO_COLUMNS, fromHeld, toCachedAudio } from '../access/audio-cache.ts'
import { fromConnector, toConnector, toTelephonyConnector } from '../access/connectors.ts'
import { fromPooled, toPooled } from '../access/number-pool.ts'
import { fromNumber, toNumber } from '../access/phone-numbers.ts'
import { toTokenKey } from '../access/token-keys.ts'
import { fromCount, fromRule, toCount, toRule } from '../alerts/alert-statements.ts'
import { toEntry } from '../audit/audit.ts'
import { fromEntry } from '../audit/audit-statements.ts'
import type { Define } from '../database/statements.ts'
import { copiedDocuments } from '../documents/copied-documents.ts'
import { fromEndpoint, toEndpoint } from '../webhooks/webhook-rows.ts'
import { copiedAgents } from './copied-agents.ts'
import { copiedTable } from './copied-table.ts'
import { copiedWebhookEvents } from './copied-webhook-events.ts'

/** How the parts of a kind are read and written. */
export interface Copied<Part> {
  /** In the order of their keys. Read one after the other, within one snapshot. */
  after(key: CopyKey | null, count: number): Iterable<Part>
  take(part: Part): void
  drop(key: CopyKey): void
}

/** Of every kind, how its parts are read and written. */
type CopiedPartsOf = { readonly [Kind in CopiedKind]: Copied<CopiedParts[Kind]> }

const KEY_COLUMNS = [
  'id',
  'kind',
  'hash',
  'prefix',
  'name',
  'account_id',
  'agent_id',
  'region',
  'permissions',
] as const
const TIMES = ['created_at', 'revoked_at', 'expires_at', 'last_used_at'] as const
const CONNECTOR_COLUMNS = [
  ...(['id', 'kind', 'token_hash', 'token_prefix', 'name', 'account_id', 'agent_id', 'environment'] as const),
  ...(['hosts', 'variant_id', 'handoff', 'speech', 'context_keys'] as const),
] as const
const ENTRY_COLUMNS = [
  ...([
    'row',
    'id',
    'at',
    'actor_type',
    'actor_id',
    'actor_name',
    'action',
    'account_id',
    'agent_id',
  ] as const),
  ...(['resource_type', 'resource_id', 'details', 'correlation_id'] as const),
] as const
const ENDPOINT_COLUMNS = [
  ...(['id', 'account_id', 'name', 'url', 'event_types', 'headers', 'timeout', 'enabled'] as const),
  ...(['disabled_reason', 'secret', 'previous_secret', 'version', 'created_at', 'updated_at'] as const),
] as const

const NUMBER_COLUMNS = [
  ...(['number', 'account_id', 'agent_id', 'environment', 'connector_id', 'created_at'] as const),
] as const
const POOLED_COLUMNS = [
  ...(['number', 'account_id', 'agent_id', 'created_at', 'free_from', 'attributes'] as const),
] as const
const RULE_COLUMNS = [
  ...(['id', 'account_id', 'agent_id', 'enabled', 'version', 'created_at', 'rule'] as const),
] as const
const COUNTER_COLUMNS = ['account_id', 'name', 'minute', 'agent_id', 'value', 'count'] as const

function* mapped<Row, Part>(rows: Iterable<Row>, toPart: (row: Row) => Part): Generator<Part> {
  for (const row of rows) yield toPart(row)
}

/** The kinds of parts, but for conversations. */
export function copiedParts(define: Define): CopiedPartsOf {
  const secrets = copiedTable(define, 'secret', ['name', 'value'], [['name', 'text']])
  const tokenKeys = copiedTable(
    define,
    'token_key',
    ['number', 'id', 'secret', 'created_at', 'verifies_until'],
    [['number', 'number']],
  )
  const accounts = copiedTable(define, 'account', ['id', 'slug', 'name', 'created_at'], [['id', 'text']])
  const apiKeys = copiedTable(define, 'api_key', [...KEY_COLUMNS, ...TIMES], [['id', 'text']])
  const connectors = copiedTable(define, 'connector', [...CONNECTOR_COLUMNS, ...TIMES], [['id', 'text']])
  const numbers = copiedTable(define, 'phone_number', NUMBER_COLUMNS, [['number', 'text']])
  const pooled = copiedTable(define, 'pooled_number', POOLED_COLUMNS, [['number', 'text']])
  const sounds = copiedTable(define, 'cached_audio', AUDIO_COLUMNS, [['id', 'text']])
  const deleted = copiedTable(
    define,
    'deleted_agent',
    ['account_id', 'id', 'deleted_at'],
    [
      ['account_id', 'text'],
      ['id', 'text'],
    ],
  )
  const entries = copiedTable(define, 'audit_entry', ENTRY_COLUMNS, [['row', 'number']])
  const endpoints = copiedTable(define, 'webhook_endpoint', ENDPOINT_COLUMNS, [['id', 'text']])
  const rules = copiedTable(define, 'alert_rule', RULE_COLUMNS, [['id', 'text']])
  const counters = copiedTable(define, 'counter', COUNTER_COLUMNS, [
    ['account_id', 'text'],
    ['name', 'text'],
    ['minute', 'number'],
    ['agent_id', 'text'],
    ['value', 'number'],
  ])
  const agents = copiedAgents(define)
  return {
    secret: {
      after: (key, count) => mapped(secrets.rowsAfter(key, count), ({ name, value }) => ({ name, value })),
      take: ({ name, value }) => secrets.put({ name, value }),
      drop: secrets.drop,
    },
    token_key: {
      after: (key, count) => mapped(tokenKeys.rowsAfter(key, count), toTokenKey),
      take: ({ number, id, secret, createdAt, verifiesUntil }) =>
        tokenKeys.put({ number, id, secret, created_at: createdAt, verifies_until: verifiesUntil }),
      drop: tokenKeys.drop,
    },
    account: {
      after: (key, count) => mapped(accounts.rowsAfter(key, count), toAccount),
      take: ({ id, slug, name, createdAt }) => accounts.put({ id, slug, name, created_at: createdAt }),
      drop: accounts.drop,
    },
    api_key: {
      after: (key, count) => mapped(apiKeys.rowsAfter(key, count), toApiKey),
      take: key => apiKeys.put(fromApiKey(key)),
      drop: apiKeys.drop,
    },
    connector: {
      after: (key, count) =>
        mapped(
          connectors.rowsAfter(key, count),
          (row): AnyConnector => (row.kind === 'messaging' ? toConnector(row) : toTelephonyConnector(row)),
        ),
      take: connector => connectors.put(fromConnector(connector)),
      drop: connectors.drop,
    },
    phone_number: {
      after: (key, count) => mapped(numbers.rowsAfter(key, count), toNumber),
      take: number => numbers.put(fromNumber(number)),
      drop: numbers.drop,
    },
    pooled_number: {
      after: (key, count) => mapped(pooled.rowsAfter(key, count), toPooled),
      take: number => pooled.put(fromPooled(number)),
      drop: pooled.drop,
    },
    voice: copiedDocuments(define, VOICE),
    cached_audio: {
      after: (key, count) =>
        mapped(sounds.rowsAfter(key, count), row => ({
          entry: toCachedAudio(row),
          audio: Buffer.from(row.audio).toString('base64'),
        })),
      take: ({ entry, audio }) => sounds.put(fromHeld({ entry, audio: Buffer.from(audio, 'base64') })),
      drop: sounds.drop,
    },
    deleted_agent: {
      after: (key, count) =>
        mapped(deleted.rowsAfter(key, count), row => ({
          id: row.id,
          accountId: row.account_id,
          deletedAt: row.deleted_at,
        })),
      take: ({ id, accountId, deletedAt }) =>
        deleted.put({ account_id: accountId, id, deleted_at: deletedAt }),
      drop: deleted.drop,
    },
    agent: { after: agents.agentsAfter, take: agents.takeAgent, drop: agents.dropAgent },
    revision: { after: agents.revisionsAfter, take: agents.takeRevision, drop: agents.dropRevision },
    audit_entry: {
      after: (key, count) => mapped(entries.rowsAfter(key, count), toEntry),
      // One that is there has to be the same: the table refuses every change.
      take: ({ sequence, entry }) => entries.put({ row: sequence, ...fromEntry(entry) }),
      drop: () => undefined,
    },
    webhook_endpoint: {
      after: (key, count) => mapped(endpoints.rowsAfter(key, count), toEndpoint),
      take: endpoint => endpoints.put(fromEndpoint(endpoint)),
      drop: endpoints.drop,
    },
    webhook_event: copiedWebhookEvents(define),
    alert_rule: {
      after: (key, count) => mapped(rules.rowsAfter(key, count), toRule),
      take: rule => rules.put(fromRule(rule)),
      drop: rules.drop,
    },
    counter: {
      after: (key, count) => mapped(counters.rowsAfter(key, count), toCount),
      take: count => counters.put(fromCount(count)),
      drop: counters.drop,
    },
    text_pair: copiedDocuments(define, TEXT_PAIR),
    outbound_call: copiedDocuments(define, OUTBOUND_CALL),
  }
}
