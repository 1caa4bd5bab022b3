import pg from 'pg'
import { onTestFinished } from 'vitest'

/** Carries a statement out on a connection of its own. */
async function carryOut(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/** The address of an empty database on that server. It is removed when the test is over, with the sessions in it. */
export async function postgresDatabase(server: string): Promise<string> {
  const name = `test_${process.pid}_${Date.now().toString(36)}_${Math.random().toString(36).slice(2, 8)}`
  await carryOut(server, `create database ${name} encoding 'UTF8' template template0`)
  onTestFinished(() => carryOut(server, `drop database ${name} with (force)`))
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
