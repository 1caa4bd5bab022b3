import type { PostgresClient } from './pool.ts'

/** Returns a name as SQL has it. */
export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Returns a text as SQL has it. */
export const quotedText = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Rows of a query without parameters. */
export async function rowsOf<Row>(client: PostgresClient, text: string): Promise<readonly Row[]> {
  return (await client.query({ text })).rows as readonly Row[]
}
