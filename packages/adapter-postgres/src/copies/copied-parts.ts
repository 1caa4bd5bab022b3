import type { AnyConnector } from '@colloquy/core'
import { type CopiedKind, type CopiedParts, OUTBOUND_CALL, TEXT_PAIR, VOICE } from '@colloquy/core/store'
import { sql } from 'kysely'
import type { AccountRow, ApiKeyRow, ConnectorRow, TokenKeyRow } from '../access/access-statements.ts'
import { toAccount } from '../access/accounts.ts'
import { fromApiKey, toApiKey } from '../access/api-keys.ts'
import { type CachedAudioRow, fromHeld, toHeld } from '../access/audio-cache.ts'
import { fromConnector, toConnector, toTelephonyConnector } from '../access/connectors.ts'
import { fromPooled, type PooledNumberRow, toPooled } from '../access/number-pool.ts'
import { fromNumber, type PhoneNumberRow, toNumber } from '../access/phone-numbers.ts'
import { toTokenKey } from '../access/token-keys.ts'
import {
  type AlertRuleRow,
  type CounterRow,
  fromCount,
  fromRule,
  toCount,
  toRule,
} from '../alerts/alert-statements.ts'
import { toEntry } from '../audit/audit.ts'
import type { AuditRow } from '../audit/audit-statements.ts'
import type { Define } from '../database/statements.ts'
import { copiedDocuments } from '../documents/copied-documents.ts'
import { type EndpointRow, fromEndpoint, toEndpoint } from '../webhooks/webhook-rows.ts'
import { copiedAgents } from './copied-agents.ts'
import { copiedDeletedAgents } from './copied-deleted-agents.ts'
import { copiedRevisions } from './copied-revisions.ts'
import { type Copied, type CopiedColumns, type CopiedTable, copiedTable } from './copied-table.ts'
import { copiedWebhookEvents } from './copied-webhook-events.ts'

/** Of every kind, how its parts are read and written. */
type CopiedPartsOf = { readonly [Kind in CopiedKind]: Copied<CopiedParts[Kind]> }

type SecretRow = CopiedParts['secret']

const SECRETS: CopiedColumns<{ name: string; value: string }> = {
  columns: { name: 'text', value: 'text' },
  key: [['name', 'text']],
}

const TOKEN_KEYS: CopiedColumns<TokenKeyRow> = {
  columns: { number: 'int', id: 'text', secret: 'text', created_at: 'bigint', verifies_until: 'bigint' },
  key: [['number', 'number']],
}

const ACCOUNTS: CopiedColumns<AccountRow> = {
  columns: { id: 'text', slug: 'text', name: 'text', created_at: 'bigint' },
  key: [['id', 'text']],
}

const TIMES = {
  created_at: 'bigint',
  revoked_at: 'bigint',
  expires_at: 'bigint',
  last_used_at: 'bigint',
} as const

const API_KEYS: CopiedColumns<ApiKeyRow> = {
  columns: {
    ...({ id: 'text', kind: 'text', hash: 'text', prefix: 'text', name: 'text' } as const),
    ...({ account_id: 'text', agent_id: 'text', region: 'text', permissions: 'text' } as const),
    ...TIMES,
  },
  key: [['id', 'text']],
}

const CONNECTORS: CopiedColumns<ConnectorRow> = {
  columns: {
    ...({ id: 'text', kind: 'text', token_hash: 'text', token_prefix: 'text', name: 'text' } as const),
    ...({ account_id: 'text', agent_id: 'text', environment: 'text', hosts: 'text' } as const),
    ...({ variant_id: 'text', handoff: 'text', speech: 'text', context_keys: 'text' } as const),
    ...TIMES,
  },
  key: [['id', 'text']],
}

const PHONE_NUMBERS: CopiedColumns<PhoneNumberRow> = {
  columns: {
    ...({ number: 'text', account_id: 'text', agent_id: 'text', environment: 'text' } as const),
    ...({ connector_id: 'text', created_at: 'bigint' } as const),
  },
  key: [['number', 'text']],
}

const POOLED_NUMBERS: CopiedColumns<PooledNumberRow> = {
  columns: {
    ...({ number: 'text', account_id: 'text', agent_id: 'text' } as const),
    ...({ created_at: 'bigint', free_from: 'bigint', attributes: 'text' } as const),
  },
  key: [['number', 'text']],
}

const CACHED_AUDIO: CopiedColumns<CachedAudioRow> = {
  columns: {
    ...({ id: 'text', account_id: 'text', agent_id: 'text', version: 'int', cached_at: 'bigint' } as const),
    ...({ used_at: 'bigint', hit_count: 'bigint', milliseconds: 'bigint', bytes: 'bigint' } as const),
    ...({ entry: 'text', audio: 'bytea' } as const),
  },
  key: [['id', 'text']],
}

const fromCopiedAudio = ({ entry, audio }: CopiedParts['cached_audio']): CachedAudioRow =>
  fromHeld({ entry, audio: Buffer.from(audio, 'base64') })

function toCopiedAudio(row: CachedAudioRow): CopiedParts['cached_audio'] {
  const { entry, audio } = toHeld(row)
  return { entry, audio: Buffer.from(audio).toString('base64') }
}

type EntryRow = { [Name in keyof AuditRow]: AuditRow[Name] }

const ENTRIES: CopiedColumns<EntryRow> = {
  columns: {
    ...({ sequence: 'bigint', id: 'text', at: 'bigint', actor_type: 'text', actor_id: 'text' } as const),
    ...({ actor_name: 'text', action: 'text', account_id: 'text', agent_id: 'text' } as const),
    ...({ resource_type: 'text', resource_id: 'text', details: 'text', correlation_id: 'text' } as const),
  },
  key: [['sequence', 'number']],
  onConflict: sql`nothing`,
}

const ENDPOINTS: CopiedColumns<EndpointRow> = {
  columns: {
    ...({ id: 'text', account_id: 'text', name: 'text', url: 'text', event_types: 'text[]' } as const),
    ...({ headers: 'text', timeout: 'bigint', enabled: 'boolean', disabled_reason: 'text' } as const),
    ...({ secret: 'text', previous_secret: 'text', version: 'int' } as const),
    ...({ created_at: 'bigint', updated_at: 'bigint' } as const),
  },
  key: [['id', 'text']],
}

const RULES: CopiedColumns<AlertRuleRow> = {
  columns: {
    ...({ id: 'text', account_id: 'text', agent_id: 'text', enabled: 'boolean' } as const),
    ...({ version: 'int', created_at: 'bigint', rule: 'text' } as const),
  },
  key: [['id', 'text']],
}

const COUNTERS: CopiedColumns<CounterRow> = {
  columns: {
    ...({ account_id: 'text', name: 'text', minute: 'bigint' } as const),
    ...({ agent_id: 'text', value: 'bigint', count: 'bigint' } as const),
  },
  key: [
    ['account_id', 'text'],
    ['name', 'text'],
    ['minute', 'number'],
    ['agent_id', 'text'],
    ['value', 'number'],
  ],
}

/** What tables keep beside the rows that are copied. */
const besideStatements = (define: Define) => ({
  dropNames: define<{ ids: readonly string[] }>('take copied accounts')(
    (t, p) => sql`
    delete from ${t('account_name')} where name in (
      select unnest(array[id, slug]) from ${t('account')} where id = any (${p('ids')}::text[]))`,
  ),
  addNames: define<{ ids: readonly string[] }>('take copied accounts')(
    (t, p) => sql`
    insert into ${t('account_name')} (name)
    select distinct unnest(array[id, slug]) from ${t('account')} where id = any (${p('ids')}::text[])
    on conflict do nothing`,
  ),
  // What is written from now on comes after what was copied.
  behindEntries: define('take copied entries of the audit log')(
    t => sql`
    select setval((select tableoid::regclass from ${t('audit_entry_sequence_seq')}),
      greatest((select max(sequence) from ${t('audit_entry')}), (select last_value from ${t('audit_entry_sequence_seq')})))`,
  ),
  countEndpoints: define('take copied webhook endpoints')(
    t => sql`
    with counted as (
      select account_id, count(*) as endpoints from ${t('webhook_endpoint')} group by account_id
    ), emptied as (
      update ${t('webhook_account')} set endpoints = 0 where account_id not in (select account_id from counted)
    )
    insert into ${t('webhook_account')} (account_id, endpoints) select account_id, endpoints from counted
    on conflict (account_id) do update set endpoints = excluded.endpoints`,
  ),
  countRules: define('take copied alert rules')(
    t => sql`
    with counted as (
      select account_id, count(*) as rules from ${t('alert_rule')} group by account_id
    ), emptied as (
      update ${t('alert_account')} set rules = 0 where account_id not in (select account_id from counted)
    )
    insert into ${t('alert_account')} (account_id, rules, held_until) select account_id, rules, 0 from counted
    on conflict (account_id) do update set rules = excluded.rules`,
  ),
})

/** Parts that are the rows of one table. */
function ofTable<Row, Part>(
  table: CopiedTable<Row>,
  toPart: (row: Row) => Part,
  fromPart: (part: Part) => Row,
): Copied<Part> {
  return {
    after: async (key, bounds) => (await table.rowsAfter(key, bounds)).map(toPart),
    take: (parts, on) => table.put(parts.map(fromPart), on),
    drop: table.drop,
  }
}

const asConnector = (row: ConnectorRow): AnyConnector =>
  row.kind === 'messaging' ? toConnector(row) : toTelephonyConnector(row)

const fromEntry = ({ sequence, entry }: CopiedParts['audit_entry']): EntryRow => ({
  sequence,
  id: entry.id,
  at: entry.at,
  actor_type: entry.actor.type,
  actor_id: entry.actor.id,
  actor_name: entry.actor.name,
  action: entry.action,
  account_id: entry.accountId,
  agent_id: entry.agentId,
  resource_type: entry.resource.type,
  resource_id: entry.resource.id,
  details: JSON.stringify(entry.details),
  correlation_id: entry.correlationId,
})

/** The kinds of parts, but for conversations. */
export function copiedParts(define: Define): CopiedPartsOf {
  const beside = besideStatements(define)
  const accounts = ofTable(copiedTable(define, 'account', ACCOUNTS), toAccount, account => ({
    id: account.id,
    slug: account.slug,
    name: account.name,
    created_at: account.createdAt,
  }))
  const entries = ofTable(copiedTable(define, 'audit_entry', ENTRIES), toEntry, fromEntry)
  const endpoints = ofTable(copiedTable(define, 'webhook_endpoint', ENDPOINTS), toEndpoint, fromEndpoint)
  const rules = ofTable(copiedTable(define, 'alert_rule', RULES), toRule, fromRule)
  const secret = (row: SecretRow): SecretRow => ({ name: row.name, value: row.value })
  return {
    secret: ofTable(copiedTable(define, 'secret', SECRETS), secret, secret),
    token_key: ofTable(copiedTable(define, 'token_key', TOKEN_KEYS), toTokenKey, key => ({
      number: key.number,
      id: key.id,
      secret: key.secret,
      created_at: key.createdAt,
      verifies_until: key.verifiesUntil,
    })),
    account: {
      after: accounts.after,
      async take(parts, on) {
        const ids = parts.map(({ id }) => id)
        await beside.dropNames.all({ ids }, on)
        await accounts.take(parts, on)
        await beside.addNames.all({ ids }, on)
      },
      async drop(keys, on) {
        await beside.dropNames.all({ ids: keys.map(([id]) => String(id)) }, on)
        await accounts.drop(keys, on)
      },
    },
    api_key: ofTable(copiedTable(define, 'api_key', API_KEYS), toApiKey, fromApiKey),
    connector: ofTable(copiedTable(define, 'connector', CONNECTORS), asConnector, fromConnector),
    phone_number: ofTable(copiedTable(define, 'phone_number', PHONE_NUMBERS), toNumber, fromNumber),
    pooled_number: ofTable(copiedTable(define, 'pooled_number', POOLED_NUMBERS), toPooled, fromPooled),
    voice: copiedDocuments(define, VOICE),
    cached_audio: ofTable(copiedTable(define, 'cached_audio', CACHED_AUDIO), toCopiedAudio, fromCopiedAudio),
    deleted_agent: copiedDeletedAgents(define),
    agent: copiedAgents(define),
    revision: copiedRevisions(define),
    audit_entry: {
      after: entries.after,
      async take(parts, on) {
        await entries.take(parts, on)
        await beside.behindEntries.all({}, on)
      },
      drop: async () => {},
    },
    webhook_endpoint: {
      after: endpoints.after,
      async take(parts, on) {
        await endpoints.take(parts, on)
        await beside.countEndpoints.all({}, on)
      },
      async drop(keys, on) {
        await endpoints.drop(keys, on)
        await beside.countEndpoints.all({}, on)
      },
    },
    webhook_event: copiedWebhookEvents(define),
    alert_rule: {
      after: rules.after,
      async take(parts, on) {
        await rules.take(parts, on)
        await beside.countRules.all({}, on)
      },
      async drop(keys, on) {
        await rules.drop(keys, on)
        await beside.countRules.all({}, on)
      },
    },
    counter: ofTable(copiedTable(define, 'counter', COUNTERS), toCount, fromCount),
    text_pair: copiedDocuments(define, TEXT_PAIR),
    outbound_call: copiedDocuments(define, OUTBOUND_CALL),
  }
}
