import { KINDS } from '@colloquy/core/store'
import { type RawBuilder, sql } from 'kysely'
import type { Tables } from '../database/statements.ts'
import { tableOf } from './columns.ts'

/** Parts of a statement that remove what goes with conversations or their logs; a query gives their ids. */
export const droppedWith = (
  t: Tables,
  what: 'conversation' | 'log',
  conversations: RawBuilder<unknown>,
): RawBuilder<unknown> =>
  sql.join(
    KINDS.flatMap(kind => {
      const column = kind.goesWith[what]
      if (column === undefined) return []
      const name = sql.ref(`gone_${kind.name}`)
      return [
        sql`${name} as (delete from ${t(tableOf(kind))} where ${sql.ref(column)} in (${conversations}))`,
      ]
    }),
  )
