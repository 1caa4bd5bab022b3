import type {
  Account,
  AccountId,
  AgentId,
  AnyConnector,
  ApiKey,
  ConnectorId,
  TokenKeyId,
} from '@colloquy/core'
import { sql } from 'kysely'
import type { Behind } from '../database/created-order.ts'
import type { Define, Placeholder } from '../database/statements.ts'
import { ANSWER, type Done, keeping, type OutboxParameters } from '../outbox/outbox-keeper.ts'

/** An account's row. */
export type AccountRow = { id: AccountId; slug: Account['slug']; name: string; created_at: number }

/** An API key's row. */
export type ApiKeyRow = {
  id: ApiKey['id']
  kind: ApiKey['kind']
  hash: string
  prefix: string
  name: string
  account_id: AccountId | null
  agent_id: AgentId | null
  region: string | null
  /** JSON. */
  permissions: string | null
  created_at: number
  revoked_at: number | null
  expires_at: number | null
  last_used_at: number | null
}

/** A connector's row, of either kind. */
export type ConnectorRow = {
  id: ConnectorId
  kind: AnyConnector['kind']
  token_hash: string
  token_prefix: string
  name: string
  account_id: AccountId
  agent_id: AgentId
  environment: AnyConnector['environment']
  /** JSON, like the next two. */
  hosts: string
  variant_id: string | null
  handoff: string
  speech: string
  context_keys: string
  created_at: number
  revoked_at: number | null
  expires_at: number | null
  last_used_at: number | null
}

/** A token key's row. */
export type TokenKeyRow = {
  number: number
  id: TokenKeyId
  secret: string
  created_at: number
  verifies_until: number | null
}

/** The filter of a list of keys or connectors; null matches any value. */
export type CredentialConditions = Behind & { accountId: string | null; agentId: string | null }

const MESSAGING = sql`kind = 'messaging'`

/** A list by the condition whose index is to be read; the others are looked at row by row. */
const credentials = <Row>(
  define: Define,
  table: 'api_key' | 'connector',
  lead: 'accountId' | 'agentId' | null,
) =>
  define<CredentialConditions>(table === 'api_key' ? 'list API keys' : 'list connectors')<Row>((t, p) => {
    const column = lead === 'accountId' ? 'account_id' : 'agent_id'
    const first = lead === null ? sql`true` : sql`${sql.ref(column)} = ${p(lead)}`
    return sql`
      select * from ${t(table)}
      where ${first} and ${ofMessaging(table)}
        and (created_at, id) > (${p('at')}::bigint, ${p('id')}::text)
        and (${p('accountId')}::text is null or account_id = ${p('accountId')})
        and (${p('agentId')}::text is null or agent_id = ${p('agentId')})
      order by created_at, id limit ${p('limit')}::bigint`
  })

const accountStatements = (define: Define) => ({
  insertAccount: define<AccountRow & OutboxParameters>('create an account')<Done>(
    (t, p) => sql`
    with free as (
      select 1 where not exists (select from ${t('account_name')} where name in (${p('id')}, ${p('slug')}))
    ), named as (
      insert into ${t('account_name')} (name)
      select distinct name from free, unnest(array[${p('id')}::text, ${p('slug')}::text]) as name
    ), added as (
      insert into ${t('account')} (id, slug, name, created_at)
      select ${p('id')}::text, ${p('slug')}::text, ${p('name')}::text, ${p('created_at')}::bigint from free returning 1
    ), done (write) as (select 1 from added), ${keeping(t, p)} ${ANSWER}`,
  ),
  account: define<{ idOrSlug: string }>('read an account')<AccountRow>(
    (t, p) => sql`
    select * from ${t('account')} where id = ${p('idOrSlug')}
    union all
    select * from ${t('account')} where slug = ${p('idOrSlug')} limit 1`,
  ),
  accounts: define<Behind>('list accounts')<AccountRow>(
    (t, p) => sql`
    select * from ${t('account')} where (created_at, id) > (${p('at')}::bigint, ${p('id')}::text)
    order by created_at, id limit ${p('limit')}::bigint`,
  ),
})

type Revocation = { id: string; at: number } & OutboxParameters
type Touch = { id: string; at: number; before: number; behind: number }

const ofMessaging = (table: 'api_key' | 'connector') => (table === 'connector' ? MESSAGING : sql`true`)

/** Revokes what is not revoked yet; `there` when there is one. */
const revoke = (define: Define, table: 'api_key' | 'connector') =>
  define<Revocation>(table === 'api_key' ? 'revoke an API key' : 'revoke a connector')<{
    readonly there: boolean
  }>(
    (t, p) => sql`
      with revoked as (
        update ${t(table)} set revoked_at = ${p('at')}::bigint
        where id = ${p('id')} and ${ofMessaging(table)} and revoked_at is null returning 1
      ), done (write) as (select 1 from revoked), ${keeping(t, p)}
      select exists (select from ${t(table)} where id = ${p('id')} and ${ofMessaging(table)}) as there`,
  )

const touch = (define: Define, table: 'api_key' | 'connector') =>
  define<Touch>(table === 'api_key' ? 'note the use of an API key' : 'note the use of a connector')(
    (t, p) => sql`
    update ${t(table)} set last_used_at = ${p('at')}::bigint
    where id = ${p('id')} and ${ofMessaging(table)}
      and (last_used_at is null or last_used_at <= ${p('before')}::bigint or last_used_at > ${p('behind')}::bigint)
    returning 1`,
  )

const apiKeyStatements = (define: Define) => ({
  insertApiKey: define<ApiKeyRow & OutboxParameters>('create an API key')<Done>(
    (t, p) => sql`
    with added as (
      insert into ${t('api_key')} (id, kind, hash, prefix, name, account_id, agent_id, region, permissions, created_at,
        revoked_at, expires_at, last_used_at)
      values (${p('id')}, ${p('kind')}, ${p('hash')}, ${p('prefix')}, ${p('name')}, ${p('account_id')}, ${p('agent_id')},
        ${p('region')}, ${p('permissions')}, ${p('created_at')}, ${p('revoked_at')}, ${p('expires_at')}, ${p('last_used_at')})
      on conflict do nothing returning 1
    ), done (write) as (select 1 from added), ${keeping(t, p)} ${ANSWER}`,
  ),
  apiKey: define<{ id: string }>('read an API key')<ApiKeyRow>(
    (t, p) => sql`
    select * from ${t('api_key')} where id = ${p('id')}`,
  ),
  apiKeyByHash: define<{ hash: string }>('read an API key')<ApiKeyRow>(
    (t, p) => sql`
    select * from ${t('api_key')} where hash = ${p('hash')}`,
  ),
  apiKeys: credentials<ApiKeyRow>(define, 'api_key', null),
  apiKeysOfAccount: credentials<ApiKeyRow>(define, 'api_key', 'accountId'),
  apiKeysOfAgent: credentials<ApiKeyRow>(define, 'api_key', 'agentId'),
  revokeApiKey: revoke(define, 'api_key'),
  touchApiKey: touch(define, 'api_key'),
})

/** What an update compares with the stored row. */
type ConnectorBefore = {
  [Name in keyof Omit<
    ConnectorRow,
    'id' | 'created_at' | 'token_prefix' | 'last_used_at'
  > as `was_${Name}`]: ConnectorRow[Name]
}

type ConnectorUpdate = Omit<ConnectorRow, 'kind' | 'last_used_at'> & ConnectorBefore & OutboxParameters

const CHANGED = [
  ...([
    'token_hash',
    'token_prefix',
    'name',
    'account_id',
    'agent_id',
    'environment',
    'hosts',
    'variant_id',
  ] as const),
  ...(['handoff', 'speech', 'context_keys', 'created_at', 'revoked_at', 'expires_at'] as const),
]
const COMPARED = [
  ...([
    'kind',
    'token_hash',
    'name',
    'account_id',
    'agent_id',
    'environment',
    'hosts',
    'variant_id',
  ] as const),
  ...(['handoff', 'speech', 'context_keys', 'revoked_at', 'expires_at'] as const),
]

const isAsBefore = (p: Placeholder<ConnectorUpdate>) =>
  sql.join(
    COMPARED.map(name => sql`${sql.ref(name)} is not distinct from ${p(`was_${name}`)}`),
    sql` and `,
  )

const connectorStatements = (define: Define) => ({
  insertConnector: define<ConnectorRow & OutboxParameters>('create a connector')<Done>(
    (t, p) => sql`
    with added as (
      insert into ${t('connector')} (id, kind, token_hash, token_prefix, name, account_id, agent_id, environment, hosts,
        variant_id, handoff, speech, context_keys, created_at, revoked_at, expires_at, last_used_at)
      values (${p('id')}, ${p('kind')}, ${p('token_hash')}, ${p('token_prefix')}, ${p('name')}, ${p('account_id')},
        ${p('agent_id')}, ${p('environment')}, ${p('hosts')}, ${p('variant_id')}, ${p('handoff')}, ${p('speech')},
        ${p('context_keys')}, ${p('created_at')}, ${p('revoked_at')}, ${p('expires_at')}, ${p('last_used_at')})
      on conflict do nothing returning 1
    ), done (write) as (select 1 from added), ${keeping(t, p)} ${ANSWER}`,
  ),
  connector: define<{ id: string; kind: string }>('read a connector')<ConnectorRow>(
    (t, p) => sql`
    select * from ${t('connector')} where id = ${p('id')} and kind = ${p('kind')}`,
  ),
  connectorByTokenHash: define<{ hash: string }>('read a connector')<ConnectorRow>(
    (t, p) => sql`
    select * from ${t('connector')} where token_hash = ${p('hash')} and ${MESSAGING}`,
  ),
  connectors: credentials<ConnectorRow>(define, 'connector', null),
  connectorsOfAccount: credentials<ConnectorRow>(define, 'connector', 'accountId'),
  connectorsOfAgent: credentials<ConnectorRow>(define, 'connector', 'agentId'),
  telephonyConnectors: define<Behind & { agentId: string }>('list connectors')<ConnectorRow>(
    (t, p) => sql`
    select * from ${t('connector')}
    where kind = 'telephony' and agent_id = ${p('agentId')} and (created_at, id) > (${p('at')}::bigint, ${p('id')}::text)
    order by created_at, id limit ${p('limit')}::bigint`,
  ),
  // An update leaves last_used_at as it is.
  updateConnector: define<ConnectorUpdate>('update a connector')<Done>(
    (t, p) => sql`
    with changed as (
      update ${t('connector')} set ${sql.join(CHANGED.map(name => sql`${sql.ref(name)} = ${p(name)}`))}
      where id = ${p('id')} and ${isAsBefore(p)} returning 1
    ), done (write) as (select 1 from changed), ${keeping(t, p)} ${ANSWER}`,
  ),
  revokeConnector: revoke(define, 'connector'),
  revokeTelephonyConnector: define<Revocation>('revoke a connector')<Done>(
    (t, p) => sql`
    with revoked as (
      update ${t('connector')} set revoked_at = ${p('at')}::bigint
      where id = ${p('id')} and kind = 'telephony' and revoked_at is null returning 1
    ), done (write) as (select 1 from revoked), ${keeping(t, p)} ${ANSWER}`,
  ),
  touchConnector: touch(define, 'connector'),
})

const tokenKeyStatements = (define: Define) => ({
  // Writes the stored value over itself, so that it is returned whoever was first.
  secret: define<{ name: string; value: string }>('keep a secret')<{ readonly value: string }>(
    (t, p) => sql`
    insert into ${t('secret')} as kept (name, value) values (${p('name')}, ${p('value')})
    on conflict (name) do update set value = kept.value returning value`,
  ),
  tokenKeys: define('read the token keys')<TokenKeyRow>(
    t => sql`select * from ${t('token_key')} order by number desc`,
  ),
  // Without the newest one, or beside another of the number, there is nothing to insert.
  addTokenKey: define<TokenKeyRow & { earlierUntil: number } & OutboxParameters>('add a token key')<Done>(
    (t, p) => sql`
    with added as (
      insert into ${t('token_key')} (number, id, secret, created_at, verifies_until)
      select ${p('number')}::int, ${p('id')}::text, ${p('secret')}::text, ${p('created_at')}::bigint, ${p('verifies_until')}::bigint
      where (select coalesce(max(number), 0) + 1 from ${t('token_key')}) = ${p('number')}::int
      on conflict do nothing returning number
    ), ended as (
      update ${t('token_key')} set verifies_until = least(verifies_until, ${p('earlierUntil')}::bigint)
      where number < (select number from added)
    ), done (write) as (select 1 from added), ${keeping(t, p)} ${ANSWER}`,
  ),
  removeTokenKeys: define<{ at: number }>('remove token keys')(
    (t, p) => sql`
    delete from ${t('token_key')}
    where verifies_until <= ${p('at')}::bigint and number < (select max(number) from ${t('token_key')})`,
  ),
})

/** The statements of the access store. */
export const accessStatements = (define: Define) => ({
  ...accountStatements(define),
  ...apiKeyStatements(define),
  ...connectorStatements(define),
  ...tokenKeyStatements(define),
})

/** These statements. */
export type AccessStatements = ReturnType<typeof accessStatements>
