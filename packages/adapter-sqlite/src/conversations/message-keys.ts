import type { MessageKeyStore } from '@colloquy/core/store'
import { sql } from 'kysely'
import type { Session } from '../database/session.ts'
import type { Define } from '../database/statements.ts'
import type { ConversationStatements } from './conversation-statements.ts'

/** How many free keys a write deletes. */
const FREED_AT_ONCE = 20

const messageKeyStatements = (define: Define) => ({
  find: define<{ key: string }>()((db, p) =>
    db
      .selectFrom('message_key')
      .select(['conversation', 'taken_at as at'])
      .where('key', '=', p('key'))
      .compile(),
  ),
  set: define<{ key: string; conversation: number; at: number }>()((db, p) =>
    sql`insert into message_key (key, conversation, taken_at) values (${p('key')}, ${p('conversation')}, ${p('at')})
      on conflict (key) do update set conversation = excluded.conversation, taken_at = excluded.taken_at`.compile(
      db,
    ),
  ),
  free: define<{ until: number; limit: number }>()((db, p) =>
    sql`delete from message_key where key in
      (select key from message_key where taken_at <= ${p('until')} limit ${p('limit')})`.compile(db),
  ),
})

/** Which conversation the key of a message stands for, in SQLite. */
export function messageKeyMethods(
  { define, write }: Session,
  run: Pick<ConversationStatements, 'head'>,
): MessageKeyStore {
  const own = messageKeyStatements(define)
  return {
    take: ({ key, conversationId, at, freeUntil }) =>
      write('take the key of a message', () => {
        const head = run.head.get({ id: conversationId })
        if (head === undefined) return 'missing'
        const known = own.find.get({ key })
        if (known !== undefined && known.at > freeUntil)
          return known.conversation === head.row ? 'taken' : 'held'
        own.free.run({ until: freeUntil, limit: FREED_AT_ONCE })
        own.set.run({ key, conversation: head.row, at })
        return 'taken'
      }),
  }
}
