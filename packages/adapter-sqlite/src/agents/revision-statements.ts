import type { AgentId } from '@colloquy/core'
import type { ResourceKind } from '@colloquy/core/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Define } from '../database/statements.ts'
import type { ResourceBlock } from './resource-blocks.ts'

/** A version of a resource, as reads give it. */
export interface ResourceRow {
  readonly kind: ResourceKind
  readonly id: string
  readonly value: string | null
}

/** The statements of revisions, prepared. */
export const revisionStatements = (define: Define) => ({
  insertRevision: define<{
    agent: number
    number: number
    contentHash: string
    contentBytes: number
    createdAt: number
  }>()((db, p) =>
    db
      .insertInto('revision')
      .values({
        agent: p('agent'),
        number: p('number'),
        content_hash: p('contentHash'),
        content_bytes: p('contentBytes'),
        created_at: p('createdAt'),
      })
      .compile(),
  ),
  head: define<{ agentId: AgentId }>()((db, p) =>
    db
      .selectFrom('revision')
      .innerJoin('agent', 'agent.row', 'revision.agent')
      .selectAll('revision')
      .where('agent.id', '=', p('agentId'))
      .orderBy('revision.number', 'desc')
      .limit(sql.lit(1))
      .compile(),
  ),
  revision: define<{ agentId: AgentId; number: number }>()((db, p) =>
    db
      .selectFrom('revision')
      .innerJoin('agent', 'agent.row', 'revision.agent')
      .selectAll('revision')
      .where('agent.id', '=', p('agentId'))
      .where('revision.number', '=', p('number'))
      .compile(),
  ),
  insertResource: define<{
    agent: number
    kind: ResourceKind
    id: string
    revision: number
    name: string | null
    value: string | null
  }>()((db, p) =>
    db
      .insertInto('resource')
      .values({
        agent: p('agent'),
        kind: p('kind'),
        id: p('id'),
        revision: p('revision'),
        name: p('name'),
        value: p('value'),
      })
      .compile(),
  ),
})

// In a group with max(revision), SQLite takes the other columns from the row that has it; the index holds all of them.
const newest = sql`select row, max(revision) from resource indexed by resource_version`

// Short enough to be dropped while it is young: one text of all would be copied by the garbage collector, or be too
// long.
const BLOCK_ROWS = sql.lit(64)

/** The rows that a query of newest versions finds, in blocks. */
const blocksOf = (rows: RawBuilder<unknown>) => sql<ResourceBlock>`
  select kind, json_group_array(id) as ids, '[' || group_concat(value, ',') || ']' as "values"
  from resource join (${rows}) using (row)
  where value is not null group by kind, row / ${BLOCK_ROWS}`

/** The statements of the resources that revisions hold, prepared. */
export const resourceStatements = (define: Define) => ({
  allAt: define<{ agent: number; revision: number }>()((db, p) =>
    blocksOf(
      sql`${newest} where agent = ${p('agent')} and revision <= ${p('revision')} group by kind, id`,
    ).compile(db),
  ),
  kindAt: define<{ agent: number; revision: number; kind: ResourceKind }>()((db, p) =>
    blocksOf(
      sql`${newest} where agent = ${p('agent')} and kind = ${p('kind')} and revision <= ${p('revision')}
          group by kind, id`,
    ).compile(db),
  ),
  oneAt: define<{ agent: number; revision: number; kind: string; id: string }>()((db, p) =>
    sql<ResourceRow & { readonly name: string | null }>`
      select kind, id, value, name from resource
      where agent = ${p('agent')} and kind = ${p('kind')} and id = ${p('id')} and revision <= ${p('revision')}
      order by revision desc limit 1`.compile(db),
  ),
  everNamed: define<{ agent: number; revision: number; name: string }>()((db, p) =>
    db
      .selectFrom('resource')
      .select(['kind', 'id'])
      .distinct()
      .where('agent', '=', p('agent'))
      .where('name', '=', p('name'))
      .where('revision', '<=', p('revision'))
      .compile(),
  ),
  changedBetween: define<{ agent: number; after: number; through: number }>()((db, p) =>
    sql<ResourceRow>`
      select kind, id, value from resource join
        (select row, max(revision) from resource indexed by resource_change
         where agent = ${p('agent')} and revision > ${p('after')} and revision <= ${p('through')}
         group by kind, id) using (row)`.compile(db),
  ),
})
