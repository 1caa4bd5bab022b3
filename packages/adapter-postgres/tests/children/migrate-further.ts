/** Brings a schema further than this version knows, as the next version does: it adds, and changes nothing that is there. */
import pg from 'pg'
import { migrate } from '../../src/database/migrate.ts'
import { MIGRATIONS } from '../../src/database/migrations/all.ts'

const [url = '', schema = ''] = process.argv.slice(2)
const version = MIGRATIONS.length + 1
const sql = `
  alter table conversation_head add column tone text not null default 'calm';
  create index conversation_head_by_tone on conversation_head (tone);
  create table tone (name text primary key)`
const pool = new pg.Pool({ connectionString: url, max: 1 })
const client = await pool.connect()
const before = await migrate(client, schema, [...MIGRATIONS, { version, name: 'tones', sql }])
client.release()
await pool.end()
process.stdout.write(`migrated from ${before}\n`)
