import type { ConversationIndex } from '@colloquy/core/domain'
import type { ConversationScope } from '@colloquy/core/store'
import { sql } from 'kysely'
import type { Define, Execute } from '../database/statements.ts'
import { spanOf } from './intervals/spans.ts'

/** The columns of a conversation that lists, handoffs and concurrency select by. */
export interface Place {
  readonly scope: number
  readonly listed: boolean
  readonly counted: boolean
  readonly startedAt: number
  readonly finishedAt: number | null
  readonly span: number
  readonly variant: number
  readonly channel: string
  readonly language: string | null
  readonly toNumber: string
  readonly accountId: string
  readonly handoffId: string | null
  readonly handoffStatus: string | null
  readonly handoffQueue: string | null
  readonly handoffSince: number | null
  readonly sharedId: string | null
  readonly sharedAt: number | null
}

/** Rows of scopes and variants, which never go: each is asked for once. */
export interface Places {
  /** The row of the three ids; null when there is none. */
  find(scope: ConversationScope): Promise<number | null>
  /** Where lists and figures find a conversation. Reads the index before it returns. */
  of(index: ConversationIndex): Promise<Place>
}

/** As many rows are known without asking at most. */
const MOST_KNOWN = 10_000

type Row = { readonly row: number }

const placeStatements = (define: Define) => ({
  scope: define<{ accountId: string; agentId: string; environment: string }>('read a scope')<Row>(
    (t, p) => sql`
    select row from ${t('scope')}
    where agent_id = ${p('agentId')} and account_id = ${p('accountId')} and environment = ${p('environment')}`,
  ),
  // Writes over itself, so that the row is returned whoever was first.
  addScope: define<{ accountId: string; agentId: string; environment: string }>('keep a scope')<Row>(
    (t, p) => sql`
    insert into ${t('scope')} (account_id, agent_id, environment)
    values (${p('accountId')}, ${p('agentId')}, ${p('environment')})
    on conflict (agent_id, account_id, environment) do update set environment = excluded.environment returning row`,
  ),
  variant: define<{ key: string }>('read a variant')<Row>(
    (t, p) => sql`
    select row from ${t('variant')} where key = ${p('key')}`,
  ),
  addVariant: define<{ key: string; id: string | null; name: string | null }>('keep a variant')<Row>(
    (t, p) => sql`
    insert into ${t('variant')} (key, id, name) values (${p('key')}, ${p('id')}, ${p('name')})
    on conflict (key) do update set key = excluded.key returning row`,
  ),
})

/** Remembers what was found; callers that ask for the same at once share the answer. */
function remembering(): (key: string, find: () => Promise<number | null>) => Promise<number | null> {
  const known = new Map<string, Promise<number | null>>()
  return (key, find) => {
    const before = known.get(key)
    if (before !== undefined) return before
    if (known.size >= MOST_KNOWN) known.clear()
    const asked = find()
    const forget = (): void => {
      if (known.get(key) === asked) known.delete(key)
    }
    known.set(key, asked)
    asked.then(row => row === null && forget(), forget)
    return asked
  }
}

/** Finds rows of scopes and variants, and makes those that are missing. */
export function createPlaces(define: Define, on: Execute): Places {
  const run = placeStatements(define)
  const scopes = remembering()
  const addedScopes = remembering()
  const variants = remembering()

  const rowOf = async (row: Promise<Row | undefined>): Promise<number | null> => (await row)?.row ?? null
  const there = (row: number | null): number => {
    if (row === null) throw new Error('PostgreSQL did not return a row that it has kept.')
    return row
  }
  const keyOf = ({ accountId, agentId, environment }: ConversationScope): string =>
    JSON.stringify([accountId, agentId, environment])
  const find = ({ accountId, agentId, environment }: ConversationScope): Promise<number | null> => {
    const scope = { accountId, agentId, environment }
    return scopes(keyOf(scope), () => rowOf(run.scope.get(scope, on)))
  }
  const keptScope = async (scope: ConversationScope): Promise<number> =>
    there(
      await addedScopes(keyOf(scope), async () => (await find(scope)) ?? rowOf(run.addScope.get(scope, on))),
    )
  const keptVariant = async (id: string | null, name: string | null): Promise<number> => {
    const key = JSON.stringify([id, name])
    const find = async () =>
      (await rowOf(run.variant.get({ key }, on))) ?? rowOf(run.addVariant.get({ key, id, name }, on))
    return there(await variants(key, find))
  }

  return {
    find,
    async of(index) {
      const {
        accountId,
        agentId,
        environment,
        variantId,
        variantName,
        handoff,
        shared,
        startedAt,
        finishedAt,
      } = index
      const place = {
        listed: index.listed,
        counted: index.counted,
        startedAt,
        finishedAt,
        span: spanOf(startedAt, finishedAt),
        channel: index.channel,
        language: index.language,
        toNumber: index.toNumber,
        accountId,
        handoffId: handoff?.id ?? null,
        handoffStatus: handoff?.status ?? null,
        handoffQueue: handoff?.queueName ?? null,
        handoffSince: handoff?.since ?? null,
        sharedId: shared?.id ?? null,
        sharedAt: shared?.at ?? null,
      }
      const scope = await keptScope({ accountId, agentId, environment })
      return { ...place, scope, variant: await keptVariant(variantId, variantName) }
    },
  }
}
