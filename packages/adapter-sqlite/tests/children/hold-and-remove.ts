/**
 * Opens the store below a folder, holds conversations at once, removes some, closes, and goes on with another store, which it leaves
 * open. Says `said <id> <version>`, `asked <id>` before it has a conversation removed and `removed <id>` once that is acknowledged.
 * Arguments: the folder, and how many processes did so before.
 */
import { join } from 'node:path'
import type { ConversationWrite, Store } from '@colloquy/core/store'
import { ACCOUNT, AGENT } from '@colloquy/core/testing'
import BetterSqlite3 from 'better-sqlite3'
import { createSqliteStore } from '../../src/store.ts'
import { beginning, idOf, nextOf, removalOf } from '../power-cut/conversations.ts'
import { STORE, TOLD } from '../power-cut/places.ts'
import { createTeller } from './told.ts'

const [folder = '', before = ''] = process.argv.slice(2)
const filename = join(folder, STORE)
const tell = createTeller(join(folder, TOLD))
const live = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
const ROUND = Number(before)
const COUNT = 12
const ALL = Array.from({ length: COUNT }, (_, number) => number)
const LASTING = ALL.filter(number => number % 2 === 1)
/** Those that finish, but for two that are removed one by one. */
const FINISHING = ALL.filter(number => number % 2 === 0 && number > 2)
const written = new Map<number, { readonly version: number; readonly write: ConversationWrite }>()

async function begin({ conversations }: Store, number: number): Promise<void> {
  const write = beginning(idOf(ROUND, number))
  await conversations.create(write)
  written.set(number, { version: 1, write })
  tell(`said ${write.conversationId} 1`)
}

async function say({ conversations }: Store, number: number, finishes = false): Promise<void> {
  const last = written.get(number)
  if (last === undefined) throw new Error(`${number} has not begun`)
  const write = nextOf(last.write, last.version, { finishes })
  const { status } = await conversations.append(write)
  if (status !== 'appended') throw new Error(`an append to ${number} was ${status}`)
  written.set(number, { version: last.version + 1, write })
  tell(`said ${write.conversationId} ${last.version + 1}`)
}

async function sayOften(store: Store, number: number, times: number): Promise<void> {
  for (let time = 0; time < times; time++) await say(store, number)
}

async function remove({ conversations }: Store, number: number): Promise<void> {
  const id = idOf(ROUND, number)
  tell(`asked ${id}`)
  await conversations.removals.remove(ACCOUNT, AGENT, id, { audit: removalOf(id) })
  tell(`removed ${id}`)
}

/** Removes all that have finished, also those of the processes before. */
async function removeFinished({ conversations }: Store): Promise<void> {
  for (let round = 0; round <= ROUND; round++)
    for (const number of [0, 2, ...FINISHING]) tell(`asked ${idOf(round, number)}`)
  let more = true
  while (more) more = (await conversations.removals.removeFinished(live, Number.MAX_SAFE_INTEGER, 2)).more
  for (const number of FINISHING) tell(`removed ${idOf(ROUND, number)}`)
}

/** What SQLite does by itself whenever the write-ahead log is long. */
function checkpoint(): void {
  const other = new BetterSqlite3(filename)
  other.pragma('wal_checkpoint(PASSIVE)')
  other.close()
}

const store = createSqliteStore({ filename })
await Promise.all(ALL.map(number => begin(store, number)))
await Promise.all(ALL.map(number => sayOften(store, number, 4)))
checkpoint()
await Promise.all(ALL.map(number => say(store, number, number % 2 === 0)))
await Promise.all([
  ...[0, 2].map(number => remove(store, number)),
  ...LASTING.map(number => sayOften(store, number, 3)),
])
await Promise.all([removeFinished(store), ...LASTING.map(number => sayOften(store, number, 3))])
await store.close()

const again = createSqliteStore({ filename })
await Promise.all(LASTING.map(number => sayOften(again, number, 2)))
checkpoint()
await begin(again, COUNT)
await Promise.all([...LASTING, COUNT].map(number => sayOften(again, number, 2)))
process.exit()
