import type { AccountId, Voice, VoiceId } from '@colloquy/core'
import type { VoiceStore } from '@colloquy/core/store'
import { fromJson } from '../database/json.ts'
import type { Session } from '../database/session.ts'
import type { Define } from '../database/statements.ts'
import type { OutboxKeeper } from '../outbox/outbox-keeper.ts'

type Row = {
  id: VoiceId
  account_id: AccountId
  version: number
  created_at: number
  voice: string
}

export const toVoice = ({ voice }: Pick<Row, 'voice'>): Voice => fromJson(voice)

export const fromVoice = (voice: Voice): Row => ({
  id: voice.id,
  account_id: voice.accountId,
  version: voice.version,
  created_at: voice.createdAt,
  voice: JSON.stringify(voice),
})

/** The statements about voices, prepared. */
const voiceStatements = (define: Define) => ({
  insert: define<Row>()((db, p) =>
    db
      .insertInto('voice')
      .values({
        id: p('id'),
        account_id: p('account_id'),
        version: p('version'),
        created_at: p('created_at'),
        voice: p('voice'),
      })
      .compile(),
  ),
  voice: define<{ id: VoiceId }>()((db, p) =>
    db.selectFrom('voice').selectAll().where('id', '=', p('id')).compile(),
  ),
  countOf: define<{ accountId: AccountId }>()((db, p) =>
    db
      .selectFrom('voice')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('account_id', '=', p('accountId'))
      .compile(),
  ),
  ofAccount: define<{ accountId: AccountId }>()((db, p) =>
    db
      .selectFrom('voice')
      .selectAll()
      .where('account_id', '=', p('accountId'))
      .orderBy('created_at')
      .orderBy('id')
      .compile(),
  ),
  update: define<Row & { expectedVersion: number }>()((db, p) =>
    db
      .updateTable('voice')
      .set({
        account_id: p('account_id'),
        version: p('version'),
        created_at: p('created_at'),
        voice: p('voice'),
      })
      .where('id', '=', p('id'))
      .where('version', '=', p('expectedVersion'))
      .compile(),
  ),
})

/** Voices in SQLite. */
export function voiceMethods({ define, read, write }: Session, keeper: OutboxKeeper): VoiceStore {
  const run = voiceStatements(define)
  return {
    async create(voice, limit, outbox) {
      const row = fromVoice(voice)
      const keep = keeper.keeping(outbox)
      return write('create a voice', () => {
        if (run.voice.get({ id: row.id }) !== undefined) return 'taken'
        if ((run.countOf.get({ accountId: row.account_id })?.count ?? 0) >= limit) return 'full'
        run.insert.run(row)
        keep()
        return 'created'
      })
    },
    find: (accountId, id) =>
      read('read a voice', () => {
        const row = run.voice.get({ id })
        return row?.account_id === accountId ? toVoice(row) : null
      }),
    list: accountId => read('list voices', () => run.ofAccount.all({ accountId }).map(toVoice)),
    async update(expectedVersion, next, outbox) {
      const row = fromVoice(next)
      const keep = keeper.keeping(outbox)
      return write('update a voice', () => {
        if (run.update.run({ ...row, expectedVersion }).changes !== 1) return 'stale'
        keep()
        return 'written'
      })
    },
  }
}
