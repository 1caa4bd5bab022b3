import { type Block, sizeOf, toBlock } from './interval-columns.ts'
import type { BlockRow } from './interval-statements.ts'

/** Blocks that were read, the last used ones of them. */
export interface BlocksAtHand {
  /** The blocks of those rows; null when one of them is not there any more. */
  read(rows: readonly number[]): Promise<readonly Block[] | null>
}

/** Bytes of blocks that are kept at hand: more than a week of a million conversations. */
const MOST = 16 * 2 ** 20

/** Blocks that are read with one statement. */
const TOGETHER = 8

/** The rows in groups of that many. */
const groupsOf = (rows: readonly number[]): readonly (readonly number[])[] =>
  Array.from({ length: Math.ceil(rows.length / TOGETHER) }, (_, at) =>
    rows.slice(at * TOGETHER, (at + 1) * TOGETHER),
  )

/** A block never changes, so one that was read once is good for as long as its row is told. */
export function createBlocksAtHand(
  readRows: (rows: readonly number[]) => Promise<readonly BlockRow[]>,
): BlocksAtHand {
  const known = new Map<number, Block>()
  let size = 0

  function keep(row: number, block: Block): void {
    known.set(row, block)
    size += sizeOf(block)
    for (const [oldest, dropped] of known) {
      if (size <= MOST) return
      known.delete(oldest)
      size -= sizeOf(dropped)
    }
  }

  return {
    async read(rows) {
      const found = new Map<number, Block>()
      for (const row of rows) {
        const block = known.get(row)
        if (block === undefined) continue
        found.set(row, block)
        known.delete(row)
        known.set(row, block)
      }
      const take = (given: readonly BlockRow[]): void => {
        for (const one of given) {
          const block = toBlock(one)
          found.set(one.row, block)
          // Another call may have read it meanwhile.
          if (!known.has(one.row)) keep(one.row, block)
        }
      }
      const missing = rows.filter(row => !found.has(row))
      const groups = groupsOf(missing).values()
      const readOn = async (): Promise<void> => {
        for (const group of groups) take(await readRows(group))
      }
      // While some are unpacked here, the server makes others ready. No more than two: visitors need connections, too.
      await Promise.all([readOn(), readOn()])
      const blocks = rows.flatMap(row => found.get(row) ?? [])
      return blocks.length === rows.length ? blocks : null
    },
  }
}
