import type { AgentId } from '@colloquy/core'
import type { CopiedRevision } from '@colloquy/core/store'
import { sql } from 'kysely'
import { encodeChanges, toChange } from '../agents/resources.ts'
import type { ResourceRow, RevisionRow } from '../agents/revision-statements.ts'
import { toRevision } from '../agents/revisions.ts'
import { fromJsonOfRow } from '../database/json.ts'
import type { Define } from '../database/statements.ts'
import { type Copied, within } from './copied-table.ts'

/** More are never read at a time: the changes of all of them are looked at for a page. */
const MOST = 50

type Of = { agents: readonly string[]; numbers: readonly number[] }

const statements = (define: Define) => ({
  after: define<{ agentId: string; number: number; count: number; bytes: number }>('read a page to copy')<
    RevisionRow & { readonly agent_id: AgentId; readonly changes: string }
  >((t, p) =>
    within(
      sql`select a.id as agent_id, r.number, r.content_hash, r.content_bytes, r.created_at,
          (select coalesce(json_agg(json_build_object('kind', c.kind, 'id', c.id, 'value', c.value)
              order by c.kind, c.id), '[]')::text
            from ${t('resource')} as c where c.agent = r.agent and c.revision = r.number) as changes
        from ${t('agent')} as a join ${t('revision')} as r on r.agent = a.row
        where a.id >= ${p('agentId')}::text and (a.id, r.number) > (${p('agentId')}::text, ${p('number')}::int)
        order by a.id, r.number limit ${p('count')}::bigint`,
      sql`agent_id, number`,
      p('bytes'),
    ),
  ),
  put: define<
    Of & {
      hashes: readonly string[]
      bytes: readonly number[]
      createdAt: readonly number[]
      changeAgents: readonly string[]
      changeNumbers: readonly number[]
      kinds: readonly string[]
      ids: readonly string[]
      names: readonly (string | null)[]
      values: readonly (string | null)[]
    }
  >('take copied parts')(
    (t, p) => sql`
    with added as (
      insert into ${t('revision')} (agent, number, content_hash, content_bytes, created_at)
      select a.row, r.number, r.hash, r.bytes, r.created_at
      from unnest(${p('agents')}::text[], ${p('numbers')}::int[], ${p('hashes')}::text[], ${p('bytes')}::bigint[],
        ${p('createdAt')}::bigint[]) as r (agent_id, number, hash, bytes, created_at)
      join ${t('agent')} as a on a.id = r.agent_id
      on conflict do nothing returning agent, number
    ), filled as (
      insert into ${t('resource')} (agent, kind, id, revision, name, value)
      select added.agent, c.kind, c.id, added.number, c.name, c.value
      from unnest(${p('changeAgents')}::text[], ${p('changeNumbers')}::int[], ${p('kinds')}::text[], ${p('ids')}::text[],
        ${p('names')}::text[], ${p('values')}::text[]) as c (agent_id, number, kind, id, name, value)
      join ${t('agent')} as a on a.id = c.agent_id
      join added on added.agent = a.row and added.number = c.number
    )
    update ${t('agent')} as a set revision = greatest(a.revision, newest.number)
    from (select agent, max(number) as number from added group by agent) as newest where newest.agent = a.row`,
  ),
  drop: define<Of>('drop copied parts')(
    (t, p) => sql`
    with gone as (
      select a.row, g.number from unnest(${p('agents')}::text[], ${p('numbers')}::int[]) as g (agent_id, number)
      join ${t('agent')} as a on a.id = g.agent_id
    ), emptied as (
      delete from ${t('resource')} where (agent, revision) in (select row, number from gone)
    ), removed as (
      delete from ${t('revision')} where (agent, number) in (select row, number from gone)
    )
    update ${t('agent')} as a set revision = coalesce((select max(r.number) from ${t('revision')} as r
      where r.agent = a.row and (r.agent, r.number) not in (select row, number from gone)), 0)
    where a.row in (select row from gone)`,
  ),
})

/** Revisions of main with what they changed, as they are copied. */
export function copiedRevisions(define: Define): Copied<CopiedRevision> {
  const run = statements(define)
  return {
    async after(key, { count, bytes }) {
      const [agentId = '', number = 0] = key ?? []
      const page = { count: Math.min(count, MOST), bytes }
      const rows = await run.after.all({ agentId: String(agentId), number: Number(number), ...page })
      return rows.map(row => ({
        agentId: row.agent_id,
        revision: toRevision(row),
        changes: fromJsonOfRow<readonly ResourceRow[]>(row.changes).map(toChange),
      }))
    },
    async take(revisions, on) {
      const changes = revisions.flatMap(({ agentId, revision: { number }, changes }) =>
        changes.map(change => ({ agentId, number, change })),
      )
      const encoded = changes.map(({ change }) => encodeChanges([change]))
      await run.put.all(
        {
          agents: revisions.map(({ agentId }) => agentId),
          numbers: revisions.map(({ revision }) => revision.number),
          hashes: revisions.map(({ revision }) => revision.contentHash),
          bytes: revisions.map(({ revision }) => revision.contentBytes),
          createdAt: revisions.map(({ revision }) => revision.createdAt),
          changeAgents: changes.map(({ agentId }) => agentId),
          changeNumbers: changes.map(({ number }) => number),
          kinds: encoded.flatMap(({ kinds }) => kinds),
          ids: encoded.flatMap(({ ids }) => ids),
          names: encoded.flatMap(({ names }) => names),
          values: encoded.flatMap(({ values }) => values),
        },
        on,
      )
    },
    async drop(keys, on) {
      const agents = keys.map(([agentId]) => String(agentId))
      await run.drop.all({ agents, numbers: keys.map(([, number]) => Number(number)) }, on)
    },
  }
}
