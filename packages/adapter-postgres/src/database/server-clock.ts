import { systemClock } from '@colloquy/core'
import { type FollowedClock, followClock } from '@colloquy/core/store'
import type { PostgresPool } from './pool.ts'

const QUERY = { text: 'select extract(epoch from clock_timestamp()) * 1000 as now' }

/** Follows the clock of the server, by which all nodes over it go (MA13). A lost answer changes nothing. */
export const followServer = (pool: PostgresPool): Promise<FollowedClock> =>
  followClock({
    clock: systemClock,
    async read() {
      const [row] = (await pool.query(QUERY)).rows
      const now = Number(typeof row === 'object' && row !== null && 'now' in row ? row.now : Number.NaN)
      if (!Number.isFinite(now)) throw new Error(`PostgreSQL does not tell its time: ${JSON.stringify(row)}.`)
      return now
    },
  })
