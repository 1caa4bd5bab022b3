import type { Log } from '@colloquy/core'
import type { Kind } from '@colloquy/core/store'
import type { Connection } from 'mariadb'
import { nameOfIndex } from '../documents/statements.ts'
import { indexAdded } from '../documents/tables.ts'
import { messageOf } from './failure.ts'

/** Delay before a retry, milliseconds. */
const BETWEEN_TRIES = 2_000

/** An index that a table does not have yet. */
export interface MissingIndex {
  readonly kind: Kind<unknown>
  readonly index: string
}

async function makeIndex(on: Connection, { index, kind }: MissingIndex): Promise<void> {
  const rows = await on.query<readonly { readonly name: string; readonly length: number | bigint | null }[]>(
    'select column_name as name, character_maximum_length as length from information_schema.columns where table_schema = database() and table_name = ?',
    [kind.name],
  )
  const lengths = new Map(rows.map(({ length, name }) => [name, Number(length)]))
  await on.query(indexAdded(kind, index, lengths))
}

/**
 * Makes indexes that were added after their tables, while others read and write. If several nodes do so, one makes an
 * index while the others wait.
 *
 * @param made called with the name of each finished index
 * @returns a function that cancels it
 */
export function makeLaterIndexes(
  missing: readonly MissingIndex[],
  connect: () => Promise<Connection>,
  { log, made }: { readonly log: Log; readonly made: (index: string) => void },
): () => void {
  let isOver = false
  let on: Connection | null = null
  const letGo = (): void => {
    on?.destroy()
    on = null
  }

  async function run(): Promise<void> {
    for (let left = missing; left.length > 0 && !isOver; ) {
      try {
        on = await connect()
        for (const one of left) {
          if (isOver) break
          await makeIndex(on, one)
          left = left.filter(other => other !== one)
          const index = nameOfIndex(one.kind, one.index)
          made(index)
          log.info('An index of the store was made', { index })
        }
      } catch (error) {
        const reason = messageOf(error)
        if (!isOver) log.warn('An index of the store could not be made, and is tried again', { reason })
        if (!isOver) await new Promise(resolve => setTimeout(resolve, BETWEEN_TRIES).unref())
      }
      letGo()
    }
  }
  void run()
  return () => {
    isOver = true
    letGo()
  }
}
