import { KINDS } from '@colloquy/core/store'
import { sql } from 'kysely'
import type { Define } from '../database/statements.ts'

/** The statements that remove what goes with an agent, and with a conversation. */
export function ownedStatements(define: Define) {
  const ofAgent = KINDS.flatMap(({ goesWith: { agent: column }, name }) =>
    column === undefined
      ? []
      : [
          define<{ id: string }>()((db, p) =>
            sql`delete from ${sql.table(name)} where ${sql.ref(column)} = ${p('id')}`.compile(db),
          ),
        ],
  )
  const ofConversation = KINDS.filter(({ goesWith }) => goesWith.conversation !== undefined).map(({ name }) =>
    define<{ id: string }>()((db, p) =>
      sql`delete from ${sql.table(name)} where id = ${p('id')}`.compile(db),
    ),
  )
  return {
    dropDocumentsOfAgent(id: string): void {
      for (const statement of ofAgent) statement.run({ id })
    },
    dropDocumentsOfConversation(id: string): void {
      for (const statement of ofConversation) statement.run({ id })
    },
  }
}
