import { api, askConsole } from '../../api.ts'
import type { ListPage } from '../../data/list-page.ts'
import { acrossPage } from './across.ts'
import { conditionOf, ownFilters } from './conditions.ts'
import { queryOf, searchOf } from './filters.ts'
import { narrowed } from './narrowed.ts'
import { type FoundIn, newestFound, type Span, spansOf } from './newest-found.ts'
import { passageOf } from './passage.ts'
import type { Row } from './row.ts'

/** The agents of a list: one, or several. */
export interface OfAgents {
  readonly accountId: string
  readonly agentIds: readonly string[]
}

interface OfAgent {
  readonly accountId: string
  readonly agentId: string
}

type Query = Readonly<Record<string, string>>

/** The start of a page, which is left out for the first one. */
interface From {
  readonly cursor?: string | undefined
}

/** A list of conversations, newest first. */
export interface Reading {
  /** All that its pages depend on. */
  readonly keys: readonly unknown[]
  read(from: From, signal: AbortSignal): Promise<ListPage<Row>>
}

/** Clocks may differ by as much, milliseconds. */
const MINUTE = 60_000

/** Limits of a list that is narrowed to a kind here: rows of a request, and requests until more is asked for. */
const NARROWED = { rows: 200, mostPages: 5 }

function newestOf({ accountId, agentId }: OfAgent, filters: Query, limit: number): Reading {
  const query = queryOf(filters)
  const path = [accountId, agentId, 'conversations'].map(encodeURIComponent).join('/')
  return {
    keys: [path, JSON.stringify(query)],
    async read(cursor, signal) {
      const given = Object.entries({ ...query, limit, ...cursor }).flatMap(([name, one]) =>
        one === undefined ? [] : [[name, String(one)]],
      )
      const answer = await askConsole(`/console/v1/${path}?${new URLSearchParams(given)}`, signal)
      const page = answer as { readonly conversations: readonly Row[]; readonly cursor: string | null }
      return { rows: page.conversations, cursor: page.cursor }
    },
  }
}

/** Narrows a list to what the filters want beside what the server knows of them. */
function narrowedBy(filters: Query, { keys, read }: Reading, enough: number): Reading {
  const isWanted = conditionOf(filters)
  if (isWanted === null) return { keys, read }
  return {
    keys: [...keys, ...ownFilters(filters)],
    read: ({ cursor }, signal) =>
      narrowed(
        isWanted,
        async next => {
          const { rows, cursor: after } = await read({ cursor: next }, signal)
          return { rows, cursor: after ?? null }
        },
        cursor,
        { enough, mostPages: NARROWED.mostPages },
      ),
  }
}

type FoundPage = Awaited<ReturnType<typeof api.listConversations>>

function found({ accountId, agentId }: OfAgent, filters: Query, limit: number): Reading {
  const { start_time, end_time, ...question } = searchOf(filters)
  return {
    keys: [accountId, agentId, JSON.stringify({ start_time, end_time, ...question })],
    async read({ cursor }, signal) {
      async function search(span: Span, isWhole: boolean): Promise<FoundIn<Row>> {
        const rows: Row[] = []
        const times = {
          start_time: new Date(span.start).toISOString(),
          end_time: new Date(span.end).toISOString(),
        }
        const asked = { account_id: accountId, project_id: agentId, limit, ...question, ...times }
        let next: string | null = ''
        while (next !== null) {
          const page: FoundPage = await api.listConversations(
            { ...asked, ...(next === '' ? {} : { cursor: next }) },
            { signal },
          )
          for (const { turns, ...row } of page.conversations) {
            const said = turns.find(({ user_input }) => user_input !== '')
            const passage = passageOf(turns, question.query)
            rows.push({ ...row, first_words: said?.user_input ?? '', passage })
          }
          next = page.cursor
          if (!isWhole) break
        }
        return { rows, isAll: next === null }
      }
      const range = { start: Date.parse(start_time), end: Date.parse(end_time) }
      const spans: readonly Span[] =
        cursor === undefined ? spansOf(range, Date.now() + MINUTE) : JSON.parse(cursor)
      const { rows, left } = await newestFound(spans, limit, search)
      return { rows, cursor: left.length === 0 ? null : JSON.stringify(left) }
    },
  }
}

/** Returns the conversations of one agent that the filters of an address select, in pages of about `limit`. */
function ofAgent(of: OfAgent, filters: Query, limit: number): Reading {
  const isNarrowed = conditionOf(filters) !== null
  const reading =
    filters.find === undefined
      ? newestOf(of, filters, isNarrowed ? NARROWED.rows : limit)
      : found(of, filters, limit)
  return narrowedBy(filters, reading, limit)
}

/** Returns the conversations of agents that the filters of an address select, newest first. */
export function readingOf({ accountId, agentIds }: OfAgents, filters: Query, limit: number): Reading {
  const one = (agentId: string) => ofAgent({ accountId, agentId }, filters, limit)
  const [agentId = '', ...others] = agentIds
  if (others.length === 0) return one(agentId)
  return {
    keys: agentIds.flatMap(id => one(id).keys),
    read: ({ cursor }, signal) =>
      acrossPage<Row>(agentIds, (id, from, abort) => one(id).read(from, abort), { cursor, limit, signal }),
  }
}

/**
 * Returns when the oldest conversation that the filters may select began, milliseconds. Undefined if there is none.
 */
export async function oldestOf(
  { accountId, agentIds }: OfAgents,
  filters: Query,
  signal: AbortSignal,
): Promise<number | undefined> {
  const starts: number[] = []
  for (const agentId of agentIds) {
    const given = { account_id: accountId, project_id: agentId, ...queryOf(filters), limit: 1 }
    for (const { started_at: at } of (await api.listConversations(given, { signal })).conversations)
      starts.push(Date.parse(at))
  }
  return starts.length === 0 ? undefined : Math.min(...starts)
}
