import type { AgentId } from '@colloquy/core'
import type { ResourceKind } from '@colloquy/core/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Define, Placeholder, Tables } from '../database/statements.ts'

/** A revision's row. */
export interface RevisionRow {
  readonly number: number
  readonly content_hash: string
  readonly content_bytes: number
  readonly created_at: number
}

/** A version of a resource, as reads give it. */
export interface ResourceRow {
  readonly kind: ResourceKind
  readonly id: string
  readonly value: string | null
}

/** Changes as parameters of a statement. */
export type ChangeParameters = {
  kinds: readonly string[]
  ids: readonly string[]
  names: readonly (string | null)[]
  values: readonly (string | null)[]
}

/** The changes as rows of `kind`, `id`, `name` and `value`. */
export const changeRows = (p: Placeholder<ChangeParameters>) => sql`
  unnest(${p('kinds')}::text[], ${p('ids')}::text[], ${p('names')}::text[], ${p('values')}::text[])
    as c (kind, id, name, value)`

/** The row of the agent that has the id now. */
export const agentRow = (t: Tables, p: Placeholder<{ agentId: AgentId }>) =>
  sql`(select row from ${t('agent')} where id = ${p('agentId')})`

type At = { agentId: AgentId; revision: number }

/** The newest version of each resource until a revision; a condition says of which resources. */
const newestAt = (t: Tables, p: Placeholder<At>, condition: RawBuilder<unknown>) => sql`
  select distinct on (kind, id) kind, id, name, value from ${t('resource')}
  where agent = ${agentRow(t, p)} and revision <= ${p('revision')}::bigint and ${condition}
  order by kind, id, revision desc`

/** The statements of revisions and their resources. */
export const revisionStatements = (define: Define) => ({
  head: define<{ agentId: AgentId }>('read the newest revision')<RevisionRow>(
    (t, p) => sql`
    select number, content_hash, content_bytes, revision.created_at from ${t('agent')} as agent
    join ${t('revision')} as revision on revision.agent = agent.row and revision.number = agent.revision
    where agent.id = ${p('agentId')}`,
  ),
  revision: define<{ agentId: AgentId; number: number }>('read a revision')<RevisionRow>(
    (t, p) => sql`
    select number, content_hash, content_bytes, created_at from ${t('revision')}
    where agent = ${agentRow(t, p)} and number = ${p('number')}::bigint`,
  ),
  resourcesAt: define<At & { kinds: readonly string[] | null; names: readonly string[] | null }>(
    'read the content of a revision',
  )<ResourceRow>(
    (t, p) => sql`
    select kind, id, value from (
      ${newestAt(
        t,
        p,
        sql`(${p('kinds')}::text[] is null or kind = any (${p('kinds')}::text[]))
          and (${p('names')}::text[] is null or (kind, id) in (
            select kind, id from ${t('resource')} as named where named.agent = ${agentRow(t, p)} and named.name = any (${p('names')}::text[])))`,
      )}
    ) as newest where value is not null and (${p('names')}::text[] is null or name = any (${p('names')}::text[]))`,
  ),
  keysAt: define<
    At & {
      kindOf: readonly string[]
      idOf: readonly string[]
      kinds: readonly string[] | null
      names: readonly string[] | null
    }
  >('read the content of a revision')<ResourceRow>(
    (t, p) => sql`
    select newest.kind, newest.id, newest.value
    from unnest(${p('kindOf')}::text[], ${p('idOf')}::text[]) as wanted (kind, id)
    cross join lateral (
      select kind, id, name, value from ${t('resource')} as version
      where version.agent = ${agentRow(t, p)} and version.kind = wanted.kind and version.id = wanted.id
        and version.revision <= ${p('revision')}::bigint
      order by version.revision desc limit 1
    ) as newest
    where newest.value is not null and (${p('kinds')}::text[] is null or newest.kind = any (${p('kinds')}::text[]))
      and (${p('names')}::text[] is null or newest.name = any (${p('names')}::text[]))`,
  ),
  changedBetween: define<{ agentId: AgentId; after: number; revision: number }>(
    'read the changes of revisions',
  )<ResourceRow>(
    (t, p) => sql`
    select kind, id, value from (${newestAt(t, p, sql`revision > ${p('after')}::bigint`)}) as newest`,
  ),
})
