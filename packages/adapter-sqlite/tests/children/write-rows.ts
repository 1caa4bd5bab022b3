/** Writes rows into a table, past the store, with a given `synchronous`, and says the number of each once it is committed. */
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { TOLD } from '../power-cut/places.ts'
import { createTeller } from './told.ts'

const [folder = '', synchronous = ''] = process.argv.slice(2)
const tell = createTeller(join(folder, TOLD))
const database = new BetterSqlite3(join(folder, 'rows.db'))
database.pragma('journal_mode = WAL')
database.pragma(`synchronous = ${synchronous}`)
database.exec('CREATE TABLE number (value INTEGER PRIMARY KEY) STRICT')
const insert = database.prepare('INSERT INTO number VALUES (?)')
for (let value = 1; value <= 60; value++) {
  insert.run(value)
  tell(String(value))
  if (value % 25 === 0) database.pragma('wal_checkpoint(PASSIVE)')
}
process.exit()
