import type { ApiKeyId, ConnectorId } from '@colloquy/core'
import { type Selectable, sql } from 'kysely'
import type { Behind } from '../database/created-order.ts'
import type { Define } from '../database/statements.ts'
import type { Schema } from '../database/tables.ts'

type AccountRow = Selectable<Schema['account']>
type ApiKeyRow = Selectable<Schema['api_key']>
type ConnectorRow = Selectable<Schema['connector']>
type TokenKeyRow = Selectable<Schema['token_key']>

/** The filter of a list of keys or connectors; null matches any value. */
export type CredentialConditions = Behind & { accountId: string | null; agentId: string | null }

const OF_ACCOUNT = { column: 'account_id', value: 'accountId' } as const
const OF_AGENT = { column: 'agent_id', value: 'agentId' } as const

/** Conditions of the indexes, so written that they are read. */
const MESSAGING = sql<boolean>`kind = 'messaging'`
const TELEPHONY = sql<boolean>`kind = 'telephony'`

/** A list by the condition whose index is to be read; the others are looked at row by row. */
const credentials = <Row>(
  define: Define,
  table: 'api_key' | 'connector',
  by: {
    readonly index: string
    readonly lead: typeof OF_ACCOUNT | typeof OF_AGENT | null
    readonly among?: typeof MESSAGING
  },
) =>
  define<CredentialConditions>()((db, p) => {
    const { index, lead, among = sql`true` } = by
    const first = lead === null ? sql`true` : sql`${sql.ref(lead.column)} = ${p(lead.value)}`
    return sql<Row>`
      select * from ${sql.table(table)} indexed by ${sql.ref(index)}
      where ${first} and ${among}
        and (created_at, id) > (${p('at')}, ${p('id')})
        and (${p('accountId')} is null or account_id = ${p('accountId')})
        and (${p('agentId')} is null or agent_id = ${p('agentId')})
      order by created_at, id limit ${p('limit')}`.compile(db)
  })

const accountStatements = (define: Define) => ({
  // An id must not be reachable as another account's slug, nor a slug as another's id.
  insertAccount: define<{ [Name in keyof AccountRow]: AccountRow[Name] }>()((db, p) =>
    db
      .insertInto('account')
      .columns(['id', 'slug', 'name', 'created_at'])
      .expression(
        sql<AccountRow>`select ${p('id')}, ${p('slug')}, ${p('name')}, ${p('created_at')}
          where not exists (select 1 from account where id in (${p('id')}, ${p('slug')}))
          and not exists (select 1 from account where slug in (${p('id')}, ${p('slug')}))`,
      )
      .compile(),
  ),
  account: define<{ idOrSlug: string }>()((db, p) =>
    db
      .selectFrom('account')
      .selectAll()
      .where(row => row.or([sql<boolean>`id = ${p('idOrSlug')}`, row('slug', '=', p('idOrSlug'))]))
      .compile(),
  ),
  accounts: define<Behind>()((db, p) =>
    sql<AccountRow>`
      select * from account indexed by account_by_time
      where (created_at, id) > (${p('at')}, ${p('id')})
      order by created_at, id limit ${p('limit')}`.compile(db),
  ),
})

const apiKeyStatements = (define: Define) => ({
  insertApiKey: define<{ [Name in keyof ApiKeyRow]: ApiKeyRow[Name] }>()((db, p) =>
    db
      .insertInto('api_key')
      .values({
        id: p('id'),
        kind: p('kind'),
        hash: p('hash'),
        prefix: p('prefix'),
        name: p('name'),
        account_id: p('account_id'),
        agent_id: p('agent_id'),
        region: p('region'),
        permissions: p('permissions'),
        created_at: p('created_at'),
        revoked_at: p('revoked_at'),
        expires_at: p('expires_at'),
        last_used_at: p('last_used_at'),
      })
      .onConflict(conflict => conflict.doNothing())
      .compile(),
  ),
  apiKey: define<{ id: ApiKeyId }>()((db, p) =>
    db.selectFrom('api_key').selectAll().where('id', '=', p('id')).compile(),
  ),
  apiKeyByHash: define<{ hash: string }>()((db, p) =>
    db.selectFrom('api_key').selectAll().where('hash', '=', p('hash')).compile(),
  ),
  apiKeys: credentials<ApiKeyRow>(define, 'api_key', { index: 'api_key_by_time', lead: null }),
  apiKeysOfAccount: credentials<ApiKeyRow>(define, 'api_key', {
    index: 'api_key_of_account',
    lead: OF_ACCOUNT,
  }),
  apiKeysOfAgent: credentials<ApiKeyRow>(define, 'api_key', { index: 'api_key_of_agent', lead: OF_AGENT }),
  revokeApiKey: define<{ id: ApiKeyId; at: number }>()((db, p) =>
    db
      .updateTable('api_key')
      .set({ revoked_at: p('at') })
      .where('id', '=', p('id'))
      .where('revoked_at', 'is', null)
      .compile(),
  ),
  touchApiKey: define<{ id: ApiKeyId; at: number; before: number; behind: number }>()((db, p) =>
    db
      .updateTable('api_key')
      .set({ last_used_at: p('at') })
      .where('id', '=', p('id'))
      .where(row =>
        row.or([
          row('last_used_at', 'is', null),
          row('last_used_at', '<=', p('before')),
          row('last_used_at', '>', p('behind')),
        ]),
      )
      .compile(),
  ),
})

/** The values that an update compares with the stored row. */
type ConnectorBefore = {
  [Name in keyof Omit<
    ConnectorRow,
    'id' | 'created_at' | 'token_prefix' | 'last_used_at'
  > as `was_${Name}`]: ConnectorRow[Name]
}

/** An update leaves `last_used_at` as it is. */
const connectorStatements = (define: Define) => ({
  insertConnector: define<{ [Name in keyof ConnectorRow]: ConnectorRow[Name] }>()((db, p) =>
    db
      .insertInto('connector')
      .values({
        id: p('id'),
        kind: p('kind'),
        token_hash: p('token_hash'),
        token_prefix: p('token_prefix'),
        name: p('name'),
        account_id: p('account_id'),
        agent_id: p('agent_id'),
        environment: p('environment'),
        hosts: p('hosts'),
        variant_id: p('variant_id'),
        handoff: p('handoff'),
        speech: p('speech'),
        context_keys: p('context_keys'),
        created_at: p('created_at'),
        revoked_at: p('revoked_at'),
        expires_at: p('expires_at'),
        last_used_at: p('last_used_at'),
      })
      .onConflict(conflict => conflict.doNothing())
      .compile(),
  ),
  connector: define<{ id: ConnectorId }>()((db, p) =>
    db.selectFrom('connector').selectAll().where('id', '=', p('id')).compile(),
  ),
  connectorByTokenHash: define<{ hash: string }>()((db, p) =>
    db.selectFrom('connector').selectAll().where('token_hash', '=', p('hash')).where(MESSAGING).compile(),
  ),
  connectors: credentials<ConnectorRow>(define, 'connector', {
    index: 'connector_by_time',
    lead: null,
    among: MESSAGING,
  }),
  connectorsOfAccount: credentials<ConnectorRow>(define, 'connector', {
    index: 'connector_of_account',
    lead: OF_ACCOUNT,
    among: MESSAGING,
  }),
  connectorsOfAgent: credentials<ConnectorRow>(define, 'connector', {
    index: 'connector_of_agent',
    lead: OF_AGENT,
    among: MESSAGING,
  }),
  telephonyConnectors: define<Behind & { agentId: string }>()((db, p) =>
    sql<ConnectorRow>`
      select * from connector indexed by telephony_connector_of_agent
      where ${TELEPHONY} and agent_id = ${p('agentId')} and (created_at, id) > (${p('at')}, ${p('id')})
      order by created_at, id limit ${p('limit')}`.compile(db),
  ),
  updateConnector: define<Omit<ConnectorRow, 'kind' | 'last_used_at'> & ConnectorBefore>()((db, p) =>
    db
      .updateTable('connector')
      .set({
        token_hash: p('token_hash'),
        token_prefix: p('token_prefix'),
        name: p('name'),
        account_id: p('account_id'),
        agent_id: p('agent_id'),
        environment: p('environment'),
        hosts: p('hosts'),
        variant_id: p('variant_id'),
        handoff: p('handoff'),
        speech: p('speech'),
        context_keys: p('context_keys'),
        created_at: p('created_at'),
        revoked_at: p('revoked_at'),
        expires_at: p('expires_at'),
      })
      .where('id', '=', p('id'))
      .where('kind', '=', p('was_kind'))
      .where('token_hash', '=', p('was_token_hash'))
      .where('name', '=', p('was_name'))
      .where('account_id', '=', p('was_account_id'))
      .where('agent_id', '=', p('was_agent_id'))
      .where('environment', '=', p('was_environment'))
      .where('hosts', '=', p('was_hosts'))
      .where('handoff', '=', p('was_handoff'))
      .where('speech', '=', p('was_speech'))
      .where('context_keys', '=', p('was_context_keys'))
      .where('variant_id', 'is', p('was_variant_id'))
      .where('revoked_at', 'is', p('was_revoked_at'))
      .where('expires_at', 'is', p('was_expires_at'))
      .compile(),
  ),
  revokeConnector: define<{ id: ConnectorId; at: number }>()((db, p) =>
    db
      .updateTable('connector')
      .set({ revoked_at: p('at') })
      .where('id', '=', p('id'))
      .where(MESSAGING)
      .where('revoked_at', 'is', null)
      .compile(),
  ),
  revokeTelephonyConnector: define<{ id: ConnectorId; at: number }>()((db, p) =>
    db
      .updateTable('connector')
      .set({ revoked_at: p('at') })
      .where('id', '=', p('id'))
      .where(TELEPHONY)
      .where('revoked_at', 'is', null)
      .compile(),
  ),
  touchConnector: define<{ id: ConnectorId; at: number; before: number; behind: number }>()((db, p) =>
    db
      .updateTable('connector')
      .set({ last_used_at: p('at') })
      .where('id', '=', p('id'))
      .where(MESSAGING)
      .where(row =>
        row.or([
          row('last_used_at', 'is', null),
          row('last_used_at', '<=', p('before')),
          row('last_used_at', '>', p('behind')),
        ]),
      )
      .compile(),
  ),
})

const secretStatements = (define: Define) => ({
  insertSecret: define<{ name: string; value: string }>()((db, p) =>
    db
      .insertInto('secret')
      .values({ name: p('name'), value: p('value') })
      .onConflict(conflict => conflict.doNothing())
      .compile(),
  ),
  secret: define<{ name: string }>()((db, p) =>
    db.selectFrom('secret').select('value').where('name', '=', p('name')).compile(),
  ),
})

const tokenKeyStatements = (define: Define) => ({
  tokenKeys: define()(db => db.selectFrom('token_key').selectAll().orderBy('number', 'desc').compile()),
  // Without the newest one, or beside another of the number, there is nothing to insert.
  insertTokenKey: define<{ [Name in keyof TokenKeyRow]: TokenKeyRow[Name] }>()((db, p) =>
    db
      .insertInto('token_key')
      .columns(['number', 'id', 'secret', 'created_at', 'verifies_until'])
      .expression(
        sql<TokenKeyRow>`select ${p('number')}, ${p('id')}, ${p('secret')}, ${p('created_at')}, ${p('verifies_until')}
          where (select coalesce(max(number), 0) + 1 from token_key) = ${p('number')}`,
      )
      .onConflict(conflict => conflict.doNothing())
      .compile(),
  ),
  endTokenKeys: define<{ number: number; until: number }>()((db, p) =>
    db
      .updateTable('token_key')
      .set({
        verifies_until: sql<number>`min(coalesce(verifies_until, ${p('until')}), ${p('until')})`,
      })
      .where('number', '<', p('number'))
      .compile(),
  ),
  removeTokenKeys: define<{ at: number }>()((db, p) =>
    db.deleteFrom('token_key').where('verifies_until', '<=', p('at')).compile(),
  ),
})

/** The statements of the access store, prepared. */
export const accessStatements = (define: Define) => ({
  ...accountStatements(define),
  ...apiKeyStatements(define),
  ...connectorStatements(define),
  ...secretStatements(define),
  ...tokenKeyStatements(define),
})

/** These statements, prepared. */
export type AccessStatements = ReturnType<typeof accessStatements>
