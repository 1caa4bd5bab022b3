import type { ConversationId } from '@colloquy/core'
import type { MessageKeyStore } from '@colloquy/core/store'
import { sql } from 'kysely'
import { isViolated } from '../database/failure.ts'
import type { Define } from '../database/statements.ts'

/** How many free keys a write deletes. */
const FREED_AT_ONCE = 20

type Taking = { key: string; conversationId: ConversationId; at: number; freeUntil: number }

/** Locks the conversation before its keys, as appends and removals do. */
const messageKeyStatements = (define: Define) => ({
  take: define<Taking>('take the key of a message')<{
    readonly there: boolean
    readonly taken: boolean
    readonly same: boolean | null
  }>(
    (t, p) => sql`
    with head as (
      select row from ${t('conversation_head')} where id = ${p('conversationId')} for key share
    ), taken as (
      insert into ${t('message_key')} as known (key, conversation, taken_at)
      select ${p('key')}::text, row, ${p('at')}::bigint from head
      on conflict (key) do update set conversation = excluded.conversation, taken_at = excluded.taken_at
        where known.taken_at <= ${p('freeUntil')}::bigint
      returning 1
    )
    select exists (select from head) as there, exists (select from taken) as taken,
      (select conversation = (select row from head) from ${t('message_key')}
        where key = ${p('key')} and taken_at > ${p('freeUntil')}::bigint) as same`,
  ),
  free: define<{ until: number }>('delete keys of messages that are free')(
    (t, p) => sql`
    delete from ${t('message_key')} where key in (
      select key from ${t('message_key')} where taken_at <= ${p('until')}::bigint
      limit ${sql.lit(FREED_AT_ONCE)} for update skip locked)`,
  ),
})

/** Which conversation the key of a message stands for, in PostgreSQL. */
export function messageKeyMethods(define: Define): MessageKeyStore {
  const run = messageKeyStatements(define)

  async function take(taking: Taking): Promise<'taken' | 'held' | 'missing'> {
    const found = await run.take.get(taking)
    if (!found?.there) return 'missing'
    if (found.taken) {
      await run.free.all({ until: taking.freeUntil })
      return 'taken'
    }
    // Another one took it since this statement began, or its conversation was removed: which, is seen now.
    if (found.same === null) return take(taking)
    return found.same ? 'taken' : 'held'
  }

  return {
    async take({ key, conversationId, at, freeUntil }) {
      const taking = { key, conversationId, at, freeUntil }
      try {
        return await take(taking)
      } catch (error) {
        // The conversation was removed in between.
        if (isViolated(error, '23503')) return 'missing'
        throw error
      }
    },
  }
}
