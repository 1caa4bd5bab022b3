import { expect, test } from 'vitest'
import { createBlocksAtHand } from '../src/conversations/intervals/blocks-at-hand.ts'
import type { BlockRow } from '../src/conversations/intervals/interval-statements.ts'

const ROWS = Array.from({ length: 20 }, (_, row) => row)

const blockOf = (row: number): BlockRow => ({
  ...{
    row,
    stretch: row,
    span: 0,
    intervals: 1,
    variants: [],
    languages: [null],
    numbers: [null],
    pairs: '',
  },
  // A start, a duration and a variant.
  packed: Buffer.from([0, 0, 1, 0, 0, 2, 0]).toString('base64'),
})

/** Blocks of a server that has all but some, and takes its time. */
function reading(missing: readonly number[] = []) {
  const asked: (readonly number[])[] = []
  let [open, most] = [0, 0]
  const atHand = createBlocksAtHand(async rows => {
    asked.push(rows)
    open += 1
    most = Math.max(most, open)
    await new Promise(resolve => setTimeout(resolve, 5))
    open -= 1
    return rows.filter(row => !missing.includes(row)).map(blockOf)
  })
  return { atHand, asked, most: () => most }
}

test('PG61 blocks are read some at a time, two statements at once at most, and each once', async () => {
  const { atHand, asked, most } = reading()
  const blocks = await atHand.read(ROWS)
  expect(blocks?.map(({ base }) => base)).toEqual(ROWS.map(row => row * (blocks?.[1]?.base ?? 0)))
  expect(asked.flat()).toEqual(ROWS)
  expect([asked.length, most()]).toEqual([3, 2])
  expect(await atHand.read(ROWS.toReversed())).toEqual(blocks?.toReversed())
  expect(asked).toHaveLength(3)
})

test('PG61 a block that has gone meanwhile makes the whole answer none, and a server that is away is an error', async () => {
  expect(await reading([17]).atHand.read(ROWS)).toBeNull()
  const away = createBlocksAtHand(() => Promise.reject(new Error('The server is away.')))
  await expect(away.read(ROWS)).rejects.toThrow('The server is away.')
})
