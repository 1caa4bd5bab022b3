import type { AccessStore, Account, ApiKey, Connector } from '@colloquy/core'
import { asId } from '@colloquy/core'
import { type Connection, param, query } from './connection.ts'
import { fromText, toText } from './rows.ts'

type KeyRow = { readonly value: string; readonly revoked_at: number | null }
type AccountRow = {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly created_at: number
}

const account = (row: AccountRow): Account => ({
  id: asId(row.id),
  slug: row.slug,
  name: row.name,
  createdAt: row.created_at,
})
const apiKey = (row: KeyRow): ApiKey => ({
  ...fromText<Omit<ApiKey, 'revokedAt'>>(row.value),
  revokedAt: row.revoked_at,
})
const connector = (row: { readonly value: string }): Connector => fromText(row.value)

function prepareStatements(connection: Connection) {
  const text = param<string>
  const number = param<number>
  return {
    addAccount: connection.prepare(
      query.insertInto('accounts').values({
        id: text('id'),
        slug: text('slug'),
        name: text('name'),
        created_at: number('createdAt'),
      }),
    ),
    account: connection.prepare(
      query
        .selectFrom('accounts')
        .selectAll()
        .where(eb => eb.or([eb('id', '=', text('name')), eb('slug', '=', text('name'))])),
    ),
    accounts: connection.prepare(
      query.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('id'),
    ),
    addKey: connection.prepare(
      query
        .insertInto('api_keys')
        .values({
          id: text('id'),
          hash: text('hash'),
          account_id: text('accountId'),
          created_at: number('createdAt'),
          revoked_at: number('revokedAt'),
          value: text('value'),
        })
        .onConflict(conflict => conflict.doNothing()),
    ),
    keyByHash: connection.prepare(
      query.selectFrom('api_keys').select(['value', 'revoked_at']).where('hash', '=', text('hash')),
    ),
    revokeKey: connection.prepare(
      query
        .updateTable('api_keys')
        .set(eb => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.val(number('at'))) }))
        .where('id', '=', text('id')),
    ),
    addConnector: connection.prepare(
      query
        .insertInto('connectors')
        .values({
          id: text('id'),
          token_hash: text('tokenHash'),
          account_id: text('accountId'),
          created_at: number('createdAt'),
          value: text('value'),
        })
        .onConflict(conflict => conflict.doNothing()),
    ),
    connector: connection.prepare(
      query.selectFrom('connectors').select('value').where('id', '=', text('id')),
    ),
    connectorByToken: connection.prepare(
      query.selectFrom('connectors').select('value').where('token_hash', '=', text('hash')),
    ),
    updateConnector: connection.prepare(
      query
        .updateTable('connectors')
        .set({
          token_hash: text('tokenHash'),
          account_id: text('accountId'),
          created_at: number('createdAt'),
          value: text('value'),
        })
        .where('id', '=', text('id')),
    ),
    addSecret: connection.prepare(
      query
        .insertInto('secrets')
        .values({ name: text('name'), value: text('value') })
        .onConflict(conflict => conflict.doNothing()),
    ),
    secret: connection.prepare(query.selectFrom('secrets').select('value').where('name', '=', text('name'))),
  }
}

/** Accounts, API keys, connectors and secrets in SQLite. */
export function createAccessStore(connection: Connection): AccessStore {
  const statements = prepareStatements(connection)
  const taken = (changes: number): 'created' | 'taken' => (changes === 0 ? 'taken' : 'created')
  return {
    createAccount: given => {
      const added = { ...given }
      return connection.write('create an account', () => {
        const clash = [added.id, added.slug].some(name => statements.account.one({ name }) !== null)
        if (clash) return 'taken'
        statements.addAccount.run(added)
        return 'created'
      })
    },
    async account(name) {
      const row = statements.account.one({ name })
      return row === null ? null : account(row)
    },
    async accounts() {
      return statements.accounts.all().map(account)
    },

    createApiKey: ({ revokedAt, ...key }) => {
      const row = { ...key, revokedAt, value: toText(key) }
      return connection.write('create an API key', () => taken(statements.addKey.run(row).changes))
    },
    async apiKeyByHash(hash) {
      const row = statements.keyByHash.one({ hash })
      return row === null ? null : apiKey(row)
    },
    async apiKeys({ accountId }) {
      const keys = query
        .selectFrom('api_keys')
        .select(['value', 'revoked_at'])
        .orderBy('created_at')
        .orderBy('id')
      return connection
        .all(accountId === undefined ? keys : keys.where('account_id', '=', accountId))
        .map(apiKey)
    },
    revokeApiKey: (id, at) =>
      connection.write('revoke an API key', () => statements.revokeKey.run({ id, at }).changes > 0),

    createConnector: added => {
      const row = { ...added, value: toText(added) }
      return connection.write('create a connector', () => taken(statements.addConnector.run(row).changes))
    },
    async connector(id) {
      const row = statements.connector.one({ id })
      return row === null ? null : connector(row)
    },
    async connectorByTokenHash(hash) {
      const row = statements.connectorByToken.one({ hash })
      return row === null ? null : connector(row)
    },
    async connectors({ accountId }) {
      const all = query.selectFrom('connectors').select('value').orderBy('created_at').orderBy('id')
      return connection
        .all(accountId === undefined ? all : all.where('account_id', '=', accountId))
        .map(connector)
    },
    updateConnector: given => {
      const changed = structuredClone(given)
      return connection.write('change a connector', () => {
        const stored = statements.connector.one({ id: changed.id })
        if (stored === null) return false
        // A revocation is final: an edit that races it must not undo it.
        const next = { ...changed, revokedAt: connector(stored).revokedAt ?? changed.revokedAt }
        statements.updateConnector.run({ ...next, value: toText(next) })
        return true
      })
    },

    secret: (name, candidate) =>
      connection.write('keep a secret', () => {
        statements.addSecret.run({ name, value: candidate })
        return statements.secret.one({ name })?.value ?? candidate
      }),
  }
}
