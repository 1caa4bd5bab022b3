import type { AccountId, AgentId, AudioOrder, CachedAudio, CachedAudioId } from '@colloquy/core'
import type { AudioCacheStore, HeldAudio } from '@colloquy/core/store'
import { sql } from 'kysely'
import { fromJson } from './database/json.ts'
import type { Session } from './database/session.ts'
import type { Define } from './database/statements.ts'
import type { OutboxKeeper } from './outbox/outbox-keeper.ts'

/** What is known of a sound, as a row. */
type EntryRow = {
  id: CachedAudioId
  account_id: AccountId
  agent_id: AgentId
  version: number
  cached_at: number
  used_at: number
  hit_count: number
  milliseconds: number
  bytes: number
  /** JSON of the whole entry; what stands in a column counts. */
  entry: string
}

type Row = EntryRow & { audio: Uint8Array }

export const toCachedAudio = ({
  entry,
  used_at: usedAt,
  hit_count: hitCount,
}: Pick<EntryRow, 'entry' | 'used_at' | 'hit_count'>): CachedAudio => ({
  ...fromJson<CachedAudio>(entry),
  usedAt,
  hitCount,
})

const toHeld = (row: Row): HeldAudio => ({ entry: toCachedAudio(row), audio: new Uint8Array(row.audio) })

export const fromHeld = ({ entry, audio }: HeldAudio): Row => ({
  id: entry.id,
  account_id: entry.accountId,
  agent_id: entry.agentId,
  version: entry.version,
  cached_at: entry.cachedAt,
  used_at: entry.usedAt,
  hit_count: entry.hitCount,
  milliseconds: entry.milliseconds,
  bytes: entry.bytes,
  entry: JSON.stringify(entry),
  audio: audio.slice(),
})

export const AUDIO_COLUMNS = [
  ...(['id', 'account_id', 'agent_id', 'version', 'cached_at', 'used_at', 'hit_count'] as const),
  ...(['milliseconds', 'bytes', 'entry', 'audio'] as const),
] as const

const entryColumns = sql`id, account_id, agent_id, version, cached_at, used_at, hit_count, milliseconds, bytes, entry`

const ORDER_COLUMNS = { cachedAt: 'cached_at', hitCount: 'hit_count', duration: 'milliseconds' } as const

interface Slice {
  agentId: AgentId
  offset: number
  limit: number
}

/** A page in one of the orders. */
const ordered = (define: Define, order: AudioOrder, direction: 'asc' | 'desc') =>
  define<Slice & Record<string, string | number>>()((db, p) =>
    sql<EntryRow>`
      select ${entryColumns} from cached_audio where agent_id = ${p('agentId')}
      order by ${sql.ref(ORDER_COLUMNS[order])} ${sql.raw(direction)}, id
      limit ${p('limit')} offset ${p('offset')}`.compile(db),
  )

const bothWays = (define: Define, order: AudioOrder) => ({
  up: ordered(define, order, 'asc'),
  down: ordered(define, order, 'desc'),
})

/** The statements about sounds, prepared. */
const audioStatements = (define: Define) => ({
  insert: define<Row>()((db, p) =>
    sql<never>`
      insert into cached_audio (${sql.join(AUDIO_COLUMNS.map(name => sql.ref(name)))})
      values (${sql.join(AUDIO_COLUMNS.map(name => p(name)))})`.compile(db),
  ),
  there: define<{ id: CachedAudioId }>()((db, p) =>
    sql<{ version: number }>`select version from cached_audio where id = ${p('id')}`.compile(db),
  ),
  use: define<{ id: CachedAudioId; at: number }>()((db, p) =>
    sql<never>`
      update cached_audio set hit_count = hit_count + 1, used_at = max(used_at, ${p('at')})
      where id = ${p('id')}`.compile(db),
  ),
  held: define<{ id: CachedAudioId }>()((db, p) =>
    sql<Row>`select * from cached_audio where id = ${p('id')}`.compile(db),
  ),
  entry: define<{ id: CachedAudioId; agentId: AgentId }>()((db, p) =>
    sql<EntryRow>`
      select ${entryColumns} from cached_audio where id = ${p('id')} and agent_id = ${p('agentId')}`.compile(
      db,
    ),
  ),
  countOf: define<{ agentId: AgentId }>()((db, p) =>
    sql<{ count: number }>`
      select count(*) as count from cached_audio where agent_id = ${p('agentId')}`.compile(db),
  ),
  pages: {
    cachedAt: bothWays(define, 'cachedAt'),
    hitCount: bothWays(define, 'hitCount'),
    duration: bothWays(define, 'duration'),
  },
  replace: define<Row & { expectedVersion: number }>()((db, p) =>
    sql<never>`
      update cached_audio set account_id = ${p('account_id')}, agent_id = ${p('agent_id')}, version = ${p('version')},
        cached_at = ${p('cached_at')}, milliseconds = ${p('milliseconds')}, bytes = ${p('bytes')},
        entry = ${p('entry')}, audio = ${p('audio')}
      where id = ${p('id')} and version = ${p('expectedVersion')}`.compile(db),
  ),
  remove: define<{ id: CachedAudioId; agentId: AgentId }>()((db, p) =>
    sql<never>`delete from cached_audio where id = ${p('id')} and agent_id = ${p('agentId')}`.compile(db),
  ),
  keepTo: define<{ accountId: AccountId; newest: CachedAudioId; most: number }>()((db, p) =>
    sql<never>`
      delete from cached_audio where id in (
        select id from (
          select id, sum(bytes) over (
            order by id = ${p('newest')} desc, used_at desc, id desc rows unbounded preceding
          ) as total from cached_audio where account_id = ${p('accountId')}
        ) where total > ${p('most')}
      )`.compile(db),
  ),
})

/** What becomes of sounds with their agent. */
export const audioBesideStatements = (define: Define) => ({
  dropAudioOf: define<{ id: AgentId }>()((db, p) =>
    sql<never>`delete from cached_audio where agent_id = ${p('id')}`.compile(db),
  ),
})

/** Sounds of agents in SQLite. */
export function audioCacheMethods(
  { define, read, snapshot, write }: Session,
  keeper: OutboxKeeper,
): AudioCacheStore {
  const run = audioStatements(define)
  const keepTo = (most: number, { account_id: accountId, id: newest }: Row) =>
    run.keepTo.run({ accountId, newest, most })
  return {
    async add(held, limit) {
      const row = fromHeld(held)
      return write('keep a sound', () => {
        if (run.there.get({ id: row.id }) !== undefined) return 'taken'
        run.insert.run(row)
        keepTo(limit, row)
        return 'added'
      })
    },
    async use(id, at) {
      return write('use a sound', () => {
        if (run.use.run({ id, at }).changes !== 1) return null
        const row = run.held.get({ id })
        return row === undefined ? null : toHeld(row)
      })
    },
    find: (agentId, id) =>
      read('read a sound', () => {
        const row = run.entry.get({ agentId, id })
        return row === undefined ? null : toCachedAudio(row)
      }),
    read: (agentId, id) =>
      read('read a sound', () => {
        const row = run.held.get({ id })
        return row?.agent_id === agentId ? toHeld(row) : null
      }),
    list: (agentId, { order, descending, offset, limit }) =>
      snapshot('list sounds', () => ({
        entries: run.pages[order][descending ? 'down' : 'up']
          .all({ agentId, offset, limit })
          .map(toCachedAudio),
        totalCount: run.countOf.get({ agentId })?.count ?? 0,
      })),
    async replace(expectedVersion, next, limit, outbox) {
      const row = fromHeld(next)
      const keep = keeper.keeping(outbox)
      return write('replace a sound', () => {
        if (run.replace.run({ ...row, expectedVersion }).changes !== 1) return 'stale'
        keepTo(limit, row)
        keep()
        return 'written'
      })
    },
    async remove(agentId, id, outbox) {
      const keep = keeper.keeping(outbox)
      return write('remove a sound', () => {
        if (run.remove.run({ agentId, id }).changes !== 1) return false
        keep()
        return true
      })
    },
  }
}
