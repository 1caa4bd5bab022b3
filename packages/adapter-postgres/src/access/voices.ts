import type { AccountId, Voice, VoiceId } from '@colloquy/core'
import type { VoiceStore } from '@colloquy/core/store'
import { sql } from 'kysely'
import { isViolated } from '../database/failure.ts'
import { fromJson } from '../database/json.ts'
import type { Session } from '../database/session.ts'
import type { Define } from '../database/statements.ts'
import { ANSWER, type Done, keeping, type OutboxParameters, outboxOf } from '../outbox/outbox-keeper.ts'

/** A voice's row. */
export type VoiceRow = {
  id: VoiceId
  account_id: AccountId
  version: number
  created_at: number
  /** JSON of the whole voice. */
  voice: string
}

export const toVoice = ({ voice }: Pick<VoiceRow, 'voice'>): Voice => fromJson(voice)

export const fromVoice = (voice: Voice): VoiceRow => ({
  id: voice.id,
  account_id: voice.accountId,
  version: voice.version,
  created_at: voice.createdAt,
  voice: JSON.stringify(voice),
})

const voiceStatements = (define: Define) => ({
  /** Two that add voices to one account come one after the other, so that the second counts the first. */
  lockAccount: define<{ accountId: string }>('create a voice')(
    (_, p) => sql`
    select pg_advisory_xact_lock(hashtextextended('voices of ' || ${p('accountId')}::text, 0))`,
  ),
  state: define<{ id: string; accountId: string }>('create a voice')<{
    readonly count: number
    readonly taken: boolean
  }>(
    (t, p) => sql`
    select (select count(*)::int from ${t('voice')} where account_id = ${p('accountId')}) as count,
      exists (select from ${t('voice')} where id = ${p('id')}) as taken`,
  ),
  insert: define<VoiceRow & OutboxParameters>('create a voice')<Done>(
    (t, p) => sql`
    with added as (
      insert into ${t('voice')} (id, account_id, version, created_at, voice)
      values (${p('id')}, ${p('account_id')}, ${p('version')}::int, ${p('created_at')}::bigint, ${p('voice')})
      returning 1
    ), done (write) as (select 1 from added), ${keeping(t, p)} ${ANSWER}`,
  ),
  voice: define<{ id: string; accountId: string }>('read a voice')<VoiceRow>(
    (t, p) => sql`select * from ${t('voice')} where id = ${p('id')} and account_id = ${p('accountId')}`,
  ),
  ofAccount: define<{ accountId: string }>('list voices')<VoiceRow>(
    (t, p) => sql`
    select * from ${t('voice')} where account_id = ${p('accountId')} order by created_at, id`,
  ),
  update: define<VoiceRow & { expectedVersion: number } & OutboxParameters>('update a voice')<Done>(
    (t, p) => sql`
    with changed as (
      update ${t('voice')} set account_id = ${p('account_id')}, version = ${p('version')}::int,
        created_at = ${p('created_at')}::bigint, voice = ${p('voice')}
      where id = ${p('id')} and version = ${p('expectedVersion')}::int
      returning 1
    ), done (write) as (select 1 from changed), ${keeping(t, p)} ${ANSWER}`,
  ),
})

/** Voices in PostgreSQL. */
export function voiceMethods({ define, transaction }: Session): VoiceStore {
  const run = voiceStatements(define)
  return {
    async create(voice, limit, outbox) {
      const row = fromVoice(voice)
      const kept = outboxOf(outbox)
      const accountId = row.account_id
      try {
        return await transaction('create a voice', async on => {
          await run.lockAccount.all({ accountId }, on)
          const state = await run.state.get({ id: row.id, accountId }, on)
          if (state?.taken) return 'taken'
          if ((state?.count ?? 0) >= limit) return 'full'
          await run.insert.all({ ...row, ...kept }, on)
          return 'created'
        })
      } catch (error) {
        // Another account took the id in between.
        if (isViolated(error, '23505')) return 'taken'
        throw error
      }
    },
    async find(accountId, id) {
      const row = await run.voice.get({ id, accountId })
      return row === undefined ? null : toVoice(row)
    },
    list: async accountId => (await run.ofAccount.all({ accountId })).map(toVoice),
    async update(expectedVersion, next, outbox) {
      const row = { ...fromVoice(next), expectedVersion }
      return (await run.update.get({ ...row, ...outboxOf(outbox) }))?.done ? 'written' : 'stale'
    },
  }
}
