import type { TokenKey, TokenKeyStore } from '@colloquy/core/store'
import { outboxOf } from '../outbox/outbox-keeper.ts'
import type { AccessStatements, TokenKeyRow } from './access-statements.ts'

export const toTokenKey = (row: TokenKeyRow): TokenKey => ({
  number: row.number,
  id: row.id,
  secret: row.secret,
  createdAt: row.created_at,
  verifiesUntil: row.verifies_until,
})

/** Secrets and token keys in PostgreSQL. */
export function tokenKeyMethods(run: AccessStatements): TokenKeyStore {
  return {
    secret: async (name, candidate) => (await run.secret.get({ name, value: candidate }))?.value ?? candidate,
    list: async () => (await run.tokenKeys.all({})).map(toTokenKey),
    async add({ number, id, secret, createdAt, verifiesUntil }, earlierUntil, outbox) {
      const row = { number, id, secret, created_at: createdAt, verifies_until: verifiesUntil }
      const added = await run.addTokenKey.get({ ...row, earlierUntil, ...outboxOf(outbox) })
      return added?.done ? 'added' : 'stale'
    },
    async remove(at) {
      await run.removeTokenKeys.all({ at })
    },
  }
}
