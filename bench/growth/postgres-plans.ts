import type pg from 'pg'

/** A statement with the values that it was sent with last. */
export type Sent = ReadonlyMap<string, readonly (string | null)[]>

const LARGE = /Seq Scan on (conversation|listed_conversation|finished_record|timer|step)\b/

/** A server chooses between the plan for the values and one for all values once it has planned five times. */
const UNTIL_CHOSEN = 8

/** Statements that read a large table from its beginning, with the plan that the server chooses after some calls. */
export async function sequentialScans(pool: pg.Pool, sent: Sent): Promise<readonly string[]> {
  const found: string[] = []
  const client = await pool.connect()
  try {
    for (const [text, values] of sent) {
      const given = values.map(value => (value === null ? 'null' : client.escapeLiteral(value))).join(', ')
      await client.query(`prepare looked_at as ${text}`)
      let plan = ''
      for (let time = 0; time < UNTIL_CHOSEN; time++) {
        const { rows } = await client.query<{ readonly 'QUERY PLAN': string }>(
          `explain execute looked_at${values.length === 0 ? '' : `(${given})`}`,
        )
        plan = rows.map(row => row['QUERY PLAN']).join('\n')
      }
      await client.query('deallocate looked_at')
      if (LARGE.test(plan)) found.push(`${text}\n${plan}`)
    }
  } finally {
    client.release()
  }
  return found
}
