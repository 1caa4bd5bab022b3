import type { ConversationId } from '@colloquy/core'
import type { Store } from '@colloquy/core/store'
import { ACCOUNT, AGENT, anAppend } from '@colloquy/core/testing'
import { eventsOf } from '@colloquy/test-support/stored'
import BetterSqlite3 from 'better-sqlite3'
import { createSqliteStore } from '../../src/store.ts'
import { beginning, eventIdOf, turnOf, WORD } from './conversations.ts'

/** What was acknowledged of a conversation. */
interface Told {
  /** 0 when not even its beginning was. */
  readonly version: number
  readonly removal: 'none' | 'asked' | 'acknowledged'
}

const NOTHING: Told = { version: 0, removal: 'none' }

const REMOVALS: Readonly<Record<string, Told['removal']>> = { asked: 'asked', removed: 'acknowledged' }

/** What `hold-and-remove.ts` has said, of each conversation. */
function readTold(lines: string): ReadonlyMap<string, Told> {
  const told = new Map<string, Told>()
  for (const line of lines.split('\n').filter(Boolean)) {
    const [what = '', id = '', version = '0'] = line.split(' ')
    const before = told.get(id) ?? NOTHING
    const removal = REMOVALS[what]
    if (removal === undefined) told.set(id, { ...before, version: Number(version) })
    else if (before.removal !== 'acknowledged') told.set(id, { ...before, removal })
  }
  return told
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1)

const same = (found: unknown, expected: unknown): boolean =>
  JSON.stringify(found) === JSON.stringify(expected)

/** What is wrong with a conversation of which something is there, or should be. */
async function judgeConversation(
  { conversations }: Store,
  name: string,
  told: Told,
): Promise<readonly string[]> {
  const id = name
  const stored = await conversations.load(id)
  const events = await eventsOf(conversations, id, 0)
  const turns = await conversations.turns(id)
  if (stored === null) {
    const problems = events.length + turns.length > 0 ? [`${id} is gone and its log is not`] : []
    return told.version > 0 && told.removal === 'none' ? [...problems, `${id} is lost`] : problems
  }
  const said = numbers(stored.version - 1)
  const problems = [
    told.removal === 'acknowledged' && `${id} is back`,
    stored.version < told.version && `${id} is at ${stored.version}, and ${told.version} was acknowledged`,
    stored.version > told.version + 1 &&
      `${id} is at ${stored.version}, and only ${told.version + 1} was written`,
    stored.state.sequence !== said.length &&
      `${id} has the sequence ${stored.state.sequence} at ${stored.version}`,
    !same(
      events.map(event => [event.sequence, event.id]),
      said.map(version => [version, eventIdOf(id, version)]),
    ) && `${id} has the events ${events.map(event => event.id)} at ${stored.version}`,
    !same(
      turns,
      said.map(version => turnOf(id, version)),
    ) && `${id} has ${turns.length} turns at ${stored.version}, or others`,
  ].filter(problem => problem !== false)
  return problems.length > 0 ? problems : sendAgain(conversations, id, stored.version)
}

/** The client sends the last event again, and then the next one. */
async function sendAgain(
  conversations: Store['conversations'],
  id: ConversationId,
  version: number,
): Promise<readonly string[]> {
  const write = beginning(id)
  const one = { ...write, state: { ...write.state, sequence: version - 1 } }
  const event = (clientEventId: string) => ({
    events: [
      { id: clientEventId, at: 0, type: 'USER_MESSAGE' as const, payload: {}, custom: null, clientEventId },
    ],
  })
  const again =
    version > 1 ? await conversations.append(anAppend(one, version, event(`c-${version - 1}`))) : null
  const next = await conversations.append(anAppend(one, version, event(`c-${version}`)))
  return [
    again !== null &&
      !same(again, { status: 'duplicate', sequence: version - 1 }) &&
      `${id} takes an event twice`,
    next.status !== 'appended' && `${id} does not go on: ${next.status}`,
  ].filter(problem => problem !== false)
}

/** What is wrong with the lists, which are kept beside the conversations. */
async function judgeLists(store: Store, there: readonly string[]): Promise<readonly string[]> {
  const live = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
  const list = async (words?: { readonly words: readonly string[]; readonly speaker: 'either' }) => {
    const page = await store.conversations.records.list(
      { ...live, ...(words && { words }) },
      { offset: 0 },
      1_000,
    )
    return page.records.map(({ id }) => id).sort()
  }
  const spoken: string[] = []
  for (const id of there) if ((await store.conversations.turns(id, 1)).length > 0) spoken.push(id)
  return [
    !same(await list(), [...there].sort()) && 'the list has other conversations than there are',
    !same(await list({ words: [WORD], speaker: 'either' }), spoken.sort()) &&
      'the search finds other conversations than there are',
  ].filter(problem => problem !== false)
}

/** What is wrong with the audit log: a conversation that was removed by itself has an entry exactly when it is gone. */
async function judgeAudit(store: Store, told: ReadonlyMap<string, Told>): Promise<readonly string[]> {
  const { values } = await store.audit.list({ accountId: ACCOUNT, action: 'conversation.removed' }, 1_000)
  const entries = values.flatMap(({ entry }) => entry.resource.id ?? [])
  const problems = entries.length === new Set(entries).size ? [] : ['a removal has two entries']
  for (const id of entries) {
    const stored = await store.conversations.load(id)
    if (stored !== null) problems.push(`${id} is there, and an entry says that it was removed`)
  }
  const single = [...told].filter(([id, { removal }]) => removal === 'acknowledged' && /-[02]$/.test(id))
  for (const [id] of single)
    if (!entries.includes(id)) problems.push(`${id} was removed, and no entry says so`)
  return problems
}

/** The conversations that the file holds. */
function conversationsOf(filename: string): readonly string[] {
  const database = new BetterSqlite3(filename, { readonly: true })
  try {
    return database
      .prepare<unknown[], string>("SELECT id FROM conversation WHERE id LIKE 'AS-%'")
      .pluck()
      .all()
  } finally {
    database.close()
  }
}

/** What SQLite finds wrong in the file, and which rows are left without those to which they belong. */
function judgeFile(filename: string): readonly string[] {
  const database = new BetterSqlite3(filename)
  try {
    const problems = [database.pragma('integrity_check', { simple: true })].filter(found => found !== 'ok')
    return [...problems, ...database.prepare('PRAGMA foreign_key_check').all()].map(found =>
      JSON.stringify(found),
    )
  } finally {
    database.close()
  }
}

/** All that is wrong with a file after a power cut, given what `hold-and-remove.ts` had said until then. */
export async function judge(filename: string, lines: string): Promise<readonly string[]> {
  const told = readTold(lines)
  let store: Store
  try {
    store = createSqliteStore({ filename })
  } catch (error) {
    return [String(error)]
  }
  try {
    const there = conversationsOf(filename)
    const problems = [
      ...judgeFile(filename),
      ...(await judgeLists(store, there)),
      ...(await judgeAudit(store, told)),
    ]
    const all = [...new Set([...told.keys(), ...there])]
    const each = all.map(id => judgeConversation(store, id, told.get(id) ?? NOTHING))
    return [...problems, ...(await Promise.all(each)).flat()]
  } catch (error) {
    return [String(error)]
  } finally {
    await store.close().catch(() => undefined)
  }
}
