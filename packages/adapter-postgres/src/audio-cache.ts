import type { AccountId, AgentId, AudioOrder, CachedAudio, CachedAudioId } from '@colloquy/core'
import type { AudioCacheStore, HeldAudio } from '@colloquy/core/store'
import { sql } from 'kysely'
import { fromJson } from './database/json.ts'
import type { Session } from './database/session.ts'
import type { Define, Execute } from './database/statements.ts'
import { ANSWER, type Done, keeping, type OutboxParameters, outboxOf } from './outbox/outbox-keeper.ts'

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

/** A sound's row. */
export type CachedAudioRow = EntryRow & { audio: Uint8Array }

const toCachedAudio = ({ entry, used_at: usedAt, hit_count: hitCount }: EntryRow): CachedAudio => ({
  ...fromJson<CachedAudio>(entry),
  usedAt,
  hitCount,
})

export const toHeld = (row: CachedAudioRow): HeldAudio => ({
  entry: toCachedAudio(row),
  audio: new Uint8Array(row.audio),
})

export const fromHeld = ({ entry, audio }: HeldAudio): CachedAudioRow => ({
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

const entryColumns = sql`id, account_id, agent_id, version, cached_at, used_at, hit_count, milliseconds, bytes, entry`

const ORDER_COLUMNS = { cachedAt: 'cached_at', hitCount: 'hit_count', duration: 'milliseconds' } as const

/** A page with how many there are; without entries it is one row of nothing but that. */
type PageRow = { total: number } & (EntryRow | { [Name in keyof EntryRow]: null })

/** A page in one of the orders. */
const ordered = (define: Define, order: AudioOrder, direction: 'asc' | 'desc') =>
  define<{ agentId: string; offset: number; limit: number }>('list sounds')<PageRow>(
    (t, p) => sql`
    select counted.total, page.* from (
      select count(*) as total from ${t('cached_audio')} where agent_id = ${p('agentId')}
    ) as counted left join (
      select ${entryColumns} from ${t('cached_audio')} where agent_id = ${p('agentId')}
      order by ${sql.ref(ORDER_COLUMNS[order])} ${sql.raw(direction)}, id
      limit ${p('limit')}::bigint offset ${p('offset')}::bigint
    ) as page on true
    order by page.${sql.ref(ORDER_COLUMNS[order])} ${sql.raw(direction)}, page.id`,
  )

const bothWays = (define: Define, order: AudioOrder) => ({
  up: ordered(define, order, 'asc'),
  down: ordered(define, order, 'desc'),
})

const audioStatements = (define: Define) => ({
  /** Two that write sounds of one account come one after the other, so that the second counts the first. */
  lockAccount: define<{ accountId: string }>('keep a sound')(
    (_, p) => sql`
    select pg_advisory_xact_lock(hashtextextended('sounds of ' || ${p('accountId')}::text, 0))`,
  ),
  insert: define<CachedAudioRow>('keep a sound')<{ readonly id: string }>(
    (t, p) => sql`
    insert into ${t('cached_audio')} (${entryColumns}, audio)
    values (${p('id')}, ${p('account_id')}, ${p('agent_id')}, ${p('version')}::int, ${p('cached_at')}::bigint,
      ${p('used_at')}::bigint, ${p('hit_count')}::bigint, ${p('milliseconds')}::bigint, ${p('bytes')}::bigint,
      ${p('entry')}, ${p('audio')}::bytea)
    on conflict (id) do nothing returning id`,
  ),
  keepTo: define<{ accountId: string; newest: string; most: number }>('keep a sound')(
    (t, p) => sql`
    delete from ${t('cached_audio')} where id in (
      select id from (
        select id, sum(bytes) over (
          order by id = ${p('newest')} desc, used_at desc, id desc rows unbounded preceding
        ) as total from ${t('cached_audio')} where account_id = ${p('accountId')}
      ) as counted where total > ${p('most')}::bigint
    )`,
  ),
  use: define<{ id: string; at: number }>('use a sound')<CachedAudioRow>(
    (t, p) => sql`
    update ${t('cached_audio')} set hit_count = hit_count + 1, used_at = greatest(used_at, ${p('at')}::bigint)
    where id = ${p('id')} returning *`,
  ),
  entry: define<{ id: string; agentId: string }>('read a sound')<EntryRow>(
    (t, p) => sql`
    select ${entryColumns} from ${t('cached_audio')} where id = ${p('id')} and agent_id = ${p('agentId')}`,
  ),
  held: define<{ id: string; agentId: string }>('read a sound')<CachedAudioRow>(
    (t, p) => sql`
    select * from ${t('cached_audio')} where id = ${p('id')} and agent_id = ${p('agentId')}`,
  ),
  pages: {
    cachedAt: bothWays(define, 'cachedAt'),
    hitCount: bothWays(define, 'hitCount'),
    duration: bothWays(define, 'duration'),
  },
  replace: define<CachedAudioRow & { expectedVersion: number } & OutboxParameters>('replace a sound')<Done>(
    (t, p) => sql`
    with changed as (
      update ${t('cached_audio')} set account_id = ${p('account_id')}, agent_id = ${p('agent_id')},
        version = ${p('version')}::int, cached_at = ${p('cached_at')}::bigint,
        milliseconds = ${p('milliseconds')}::bigint, bytes = ${p('bytes')}::bigint, entry = ${p('entry')},
        audio = ${p('audio')}::bytea
      where id = ${p('id')} and version = ${p('expectedVersion')}::int
      returning 1
    ), done (write) as (select 1 from changed), ${keeping(t, p)} ${ANSWER}`,
  ),
  remove: define<{ id: string; agentId: string } & OutboxParameters>('remove a sound')<Done>(
    (t, p) => sql`
    with removed as (
      delete from ${t('cached_audio')} where id = ${p('id')} and agent_id = ${p('agentId')} returning 1
    ), done (write) as (select 1 from removed), ${keeping(t, p)} ${ANSWER}`,
  ),
})

const isEntry = (row: PageRow): row is PageRow & EntryRow => row.id !== null

/** Sounds of agents in PostgreSQL. */
export function audioCacheMethods({ define, transaction }: Session): AudioCacheStore {
  const run = audioStatements(define)
  const keepTo = (most: number, { account_id: accountId, id: newest }: CachedAudioRow, on: Execute) =>
    run.keepTo.all({ accountId, newest, most }, on)
  return {
    async add(held, limit) {
      const row = fromHeld(held)
      return transaction('keep a sound', async on => {
        await run.lockAccount.all({ accountId: row.account_id }, on)
        if ((await run.insert.get(row, on)) === undefined) return 'taken'
        await keepTo(limit, row, on)
        return 'added'
      })
    },
    async use(id, at) {
      const row = await run.use.get({ id, at })
      return row === undefined ? null : toHeld(row)
    },
    async find(agentId, id) {
      const row = await run.entry.get({ agentId, id })
      return row === undefined ? null : toCachedAudio(row)
    },
    async read(agentId, id) {
      const row = await run.held.get({ agentId, id })
      return row === undefined ? null : toHeld(row)
    },
    async list(agentId, { order, descending, offset, limit }) {
      const page = run.pages[order][descending ? 'down' : 'up']
      const rows = await page.all({ agentId, offset, limit })
      return { entries: rows.filter(isEntry).map(toCachedAudio), totalCount: rows[0]?.total ?? 0 }
    },
    async replace(expectedVersion, next, limit, outbox) {
      const row = fromHeld(next)
      const kept = outboxOf(outbox)
      return transaction('replace a sound', async on => {
        await run.lockAccount.all({ accountId: row.account_id }, on)
        if (!(await run.replace.get({ ...row, ...kept, expectedVersion }, on))?.done) return 'stale'
        await keepTo(limit, row, on)
        return 'written'
      })
    },
    async remove(agentId, id, outbox) {
      return (await run.remove.get({ agentId, id, ...outboxOf(outbox) }))?.done === true
    },
  }
}
