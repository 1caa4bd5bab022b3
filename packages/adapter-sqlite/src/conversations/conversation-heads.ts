import type { ConversationId } from '@colloquy/core'
import type { Parameters, Statement } from '../database/statements.ts'
import type { Schema } from '../database/tables.ts'

/**
 * A conversation's short row: what every write to it changes, and where it stands in the lists. Changed in place, which
 * is cheaper than a new one for every write; when a write is undone all that is kept is forgotten.
 */
export type Head = Omit<Schema['conversation_head'], 'claims' | 'changes'> &
  Pick<Schema['conversation'], 'scope' | 'started_at'>

/** The short rows of the open conversations that this process has written last, so that a write need not read them. */
export interface Heads {
  /** To be asked within a write. Undefined when there is no such conversation. */
  get(id: ConversationId): Head | undefined
  /** The row that was just written; one that has finished is not kept, since it may be removed. */
  keep(id: ConversationId, head: Head): void
  /** What is kept may not be so any more. */
  forget(): void
  /** The statement, which changes the row that it is given: what is kept of that one is not so any more. */
  changing<P extends Parameters & { readonly row: number }, Row>(
    statement: Statement<P, Row>,
  ): Statement<P, Row>
  /** The same of a statement that changes the rows that it returns. */
  changingMany<P extends Parameters, Row extends { readonly row: number }>(
    statement: Statement<P, Row>,
  ): Pick<Statement<P, Row>, 'all'>
}

/** The most that are kept, in each of two generations. */
const MOST = 16_384

/**
 * Keeps what was written last in two generations, of which the older one is dropped as a whole when the younger one is
 * full: no entry is moved when it is used, and entries that were used survive.
 *
 * @param read the statement that finds a row
 */
export function createHeads(read: Statement<{ id: ConversationId }, Head>): Heads {
  let young = new Map<ConversationId, Head>()
  let old = new Map<ConversationId, Head>()
  /** Rows that were changed since they were kept, and rows of conversations that are not kept. */
  const changed = new Set<number>()

  const forget = (): void => {
    if (young.size > 0) young = new Map()
    if (old.size > 0) old = new Map()
    changed.clear()
  }

  const change = (row: number): void => {
    if (changed.size >= MOST) forget()
    changed.add(row)
  }

  return {
    get(id) {
      const head = young.get(id) ?? old.get(id)
      return head === undefined || changed.has(head.row) ? read.get({ id }) : head
    },
    keep(id, head) {
      if (head.finished === 1) {
        young.delete(id)
        old.delete(id)
        return
      }
      changed.delete(head.row)
      if (young.size >= MOST && !young.has(id)) {
        old = young
        young = new Map()
      }
      young.set(id, head)
    },
    forget,
    changing: statement => ({
      ...statement,
      get sql() {
        return statement.sql
      },
      run: parameters => {
        change(parameters.row)
        return statement.run(parameters)
      },
    }),
    changingMany: statement => ({
      all: parameters => {
        const rows = statement.all(parameters)
        for (const { row } of rows) change(row)
        return rows
      },
    }),
  }
}
