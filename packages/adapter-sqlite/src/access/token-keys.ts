import type { TokenKey, TokenKeyStore } from '@colloquy/core/store'
import type { Selectable } from 'kysely'
import type { Session } from '../database/session.ts'
import type { Schema } from '../database/tables.ts'
import type { OutboxKeeper } from '../outbox/outbox-keeper.ts'
import type { AccessStatements } from './access-statements.ts'

export const toTokenKey = (row: Selectable<Schema['token_key']>): TokenKey => ({
  number: row.number,
  id: row.id,
  secret: row.secret,
  createdAt: row.created_at,
  verifiesUntil: row.verifies_until,
})

/** Secrets and token keys in SQLite. */
export function tokenKeyMethods(
  { read, write }: Session,
  run: AccessStatements,
  keeper: OutboxKeeper,
): TokenKeyStore {
  return {
    secret: (name, candidate) =>
      write('keep a secret', () => {
        run.insertSecret.run({ name, value: candidate })
        return run.secret.get({ name })?.value ?? candidate
      }),
    list: () => read('read the token keys', () => run.tokenKeys.all({}).map(toTokenKey)),
    add: async ({ number, id, secret, createdAt, verifiesUntil }, earlierUntil, outbox) => {
      const keep = keeper.keeping(outbox)
      const row = { number, id, secret, created_at: createdAt, verifies_until: verifiesUntil }
      return write('add a token key', () => {
        if (run.insertTokenKey.run(row).changes === 0) return 'stale'
        run.endTokenKeys.run({ number, until: earlierUntil })
        keep()
        return 'added'
      })
    },
    remove: at =>
      write('remove token keys', () => {
        run.removeTokenKeys.run({ at })
      }),
  }
}
