import { api, askConsole } from '../../api.ts'
import type { ListPage } from '../../data/list-page.ts'
import { useNewest } from '../../data/newest.ts'
import { type Pages, usePages } from '../../data/pages.ts'
import { href, route, setQuery } from '../../router.ts'
import { account, me } from '../../session.ts'
import { visitorName } from '../../texts/visitors.ts'
import { VisitorAvatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { Folded } from '../../ui/folded.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { Badge, Empty, Time } from '../../ui/parts.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { TimeField } from '../../ui/time-field.tsx'
import { AgentPage } from '../agent-page.tsx'
import { queryOf, searchOf } from './filters.ts'
import { KINDS, type Kind, type Kinded, kindOf, narrowed } from './kinds.ts'
import { type FoundIn, newestFound, type Span, spansOf } from './newest-found.ts'
import { type Metrics, shownOf } from './rating.ts'
import { say } from './texts.ts'

/** A conversation as the list shows it. */
interface Row extends Kinded {
  readonly id: string
  readonly started_at: string
  readonly in_progress: boolean
  readonly num_turns: number
  readonly variant_name: string
  readonly handoff_destination: string
  readonly first_words: string
}

/** Clocks may differ by as much, milliseconds. */
const MINUTE = 60_000

/** Number of conversations in one request. */
const LIMIT = 50

interface RowsProps {
  readonly accountId: string
  readonly agentId: string
}

interface RowTableProps {
  readonly agentId: string
  readonly pages: Pages<Row>
  readonly isFollowed?: boolean
}

/** A rating as a figure beside a star. */
function Rating({ metrics }: { readonly metrics: Metrics }) {
  const { score } = shownOf(metrics)
  if (score === null) return null
  return (
    <span class="piece" title={say('rating.of', { score })}>
      <Icon name="star" />
      {score}
    </span>
  )
}

function RowTable({ agentId, pages, isFollowed = false }: RowTableProps) {
  return (
    <PagedTable
      pages={pages}
      isFollowed={isFollowed}
      isStacked
      empty={
        <Empty icon="conversations" title={say('none')}>
          <p>{say('none.why')}</p>
          <a class="button" href={href(['agents', agentId, 'debug'])}>
            <Icon name="play" />
            {say('none.do')}
          </a>
        </Empty>
      }
      caption={say('title')}
      keyOf={({ id }) => id}
      columns={[
        {
          title: say('you.visitor'),
          cell: ({ id }) => (
            <span class="named">
              <VisitorAvatar id={id} isTiny />
              <a href={href(['conversations', agentId, id])}>{visitorName(id)}</a>
            </span>
          ),
        },
        { title: say('visitor'), cell: row => <span class="clipped">{row.first_words}</span> },
        { title: say('started'), cell: ({ started_at }) => <Time at={started_at} isShort /> },
        { title: say('turns'), cell: ({ num_turns }) => num_turns, isNumber: true },
        { title: say('variant'), cell: ({ variant_name }) => variant_name },
        { title: say('rating'), cell: ({ metrics }) => <Rating metrics={metrics} /> },
        {
          title: say('state'),
          cell: ({ in_progress, handoff, handoff_destination, num_ood }) => (
            <>
              {in_progress ? (
                <Badge tone="good" pulses>
                  {say('running')}
                </Badge>
              ) : (
                <Badge tone="over">{say('ended')}</Badge>
              )}{' '}
              {handoff && <Badge tone="person">{handoff_destination || say('handoff')}</Badge>}{' '}
              {num_ood > 0 && <Badge tone="warn">{say('unanswered.badge')}</Badge>}
            </>
          ),
        },
      ]}
    />
  )
}

/** Somebody points at the list, or is in it, or further down on the page: then nothing may move. */
const isHeld = (): boolean =>
  scrollY > 0 || document.querySelector('.scrolls:hover, .scrolls:focus-within') !== null

/** Returns the reading of a page of the newest conversations, with the filters of the address. */
function newestOf({ accountId, agentId }: RowsProps, limit: number) {
  const query = queryOf(route.value.query)
  const path = [accountId, agentId, 'conversations'].map(encodeURIComponent).join('/')
  return {
    keys: [path, JSON.stringify(query)],
    async read(
      cursor: { readonly cursor?: string | undefined },
      signal: AbortSignal,
    ): Promise<ListPage<Row>> {
      const given = Object.entries({ ...query, limit, ...cursor }).flatMap(([name, one]) =>
        one === undefined ? [] : [[name, String(one)]],
      )
      const answer = await askConsole(`/console/v1/${path}?${new URLSearchParams(given)}`, signal)
      const page = answer as { readonly conversations: readonly Row[]; readonly cursor: string | null }
      return { rows: page.conversations, cursor: page.cursor }
    },
  }
}

/** The newest, which are followed. */
function Newest(props: RowsProps) {
  const { keys, read } = newestOf(props, LIMIT)
  const pages = useNewest<Row>(read, keys, isHeld)
  return (
    <>
      <div class="live-line" role="status">
        {pages.rows !== undefined && (
          <Badge tone="good" pulses>
            {say('live.list')}
          </Badge>
        )}
        {pages.fresh > 0 && (
          <Button icon="promote" onClick={pages.show}>
            {say('fresh', { count: pages.fresh })}
          </Button>
        )}
      </div>
      <RowTable agentId={props.agentId} pages={pages} isFollowed />
    </>
  )
}

/** Limits of a list that is narrowed to a kind here: rows of a request, and requests until more is asked for. */
const NARROWED = { rows: 200, mostPages: 5 }

/** Those of a kind, newest first. */
function OfKind({ kind, ...props }: RowsProps & { readonly kind: Kind }) {
  const { keys, read } = newestOf(props, NARROWED.rows)
  const pages = usePages<Row>(
    async ({ cursor }, signal) => {
      const page = await narrowed(
        kind,
        async next => {
          const { rows, cursor: after } = await read({ cursor: next }, signal)
          return { rows, cursor: after ?? null }
        },
        cursor,
        { enough: LIMIT, mostPages: NARROWED.mostPages },
      )
      return page
    },
    [...keys, kind],
  )
  return <RowTable agentId={props.agentId} pages={pages} />
}

type FoundPage = Awaited<ReturnType<typeof api.listConversations>>

/** Conversations that match a search, newest first. */
function Found({ accountId, agentId }: RowsProps) {
  const { start_time, end_time, ...question } = searchOf(route.value.query)
  const pages = usePages<Row>(
    async ({ cursor }, signal) => {
      async function search(span: Span, isWhole: boolean): Promise<FoundIn<Row>> {
        const rows: Row[] = []
        const times = {
          start_time: new Date(span.start).toISOString(),
          end_time: new Date(span.end).toISOString(),
        }
        const asked = { account_id: accountId, project_id: agentId, limit: LIMIT, ...question, ...times }
        let next: string | null = ''
        while (next !== null) {
          const page: FoundPage = await api.listConversations(
            { ...asked, ...(next === '' ? {} : { cursor: next }) },
            { signal },
          )
          for (const { turns, ...row } of page.conversations) {
            const said = turns.find(({ user_input }) => user_input !== '')
            rows.push({ ...row, first_words: said?.user_input ?? '' })
          }
          next = page.cursor
          if (!isWhole) break
        }
        return { rows, isAll: next === null }
      }
      const range = { start: Date.parse(start_time), end: Date.parse(end_time) }
      const spans: readonly Span[] =
        cursor === undefined ? spansOf(range, Date.now() + MINUTE) : JSON.parse(cursor)
      const { rows, left } = await newestFound(spans, LIMIT, search)
      return { rows, cursor: left.length === 0 ? null : JSON.stringify(left) }
    },
    [accountId, agentId, JSON.stringify({ start_time, end_time, ...question })],
  )
  return <RowTable agentId={agentId} pages={pages} />
}

const STATES = ['all', 'running', 'ended'] as const

/**
 * Shows the conversations of an agent, newest first. The filters are in the address, so that it can be sent to others.
 */
export function ConversationList() {
  const { query } = route.value
  const kind = kindOf(query.show)
  return (
    <AgentPage
      title={say('title')}
      area="conversations"
      filters={
        <Folded
          active={['state', 'show', 'from', 'to', 'find'].filter(name => query[name] !== undefined).length}
        >
          <Select
            label={say('state')}
            value={query.state ?? 'all'}
            onChange={value => setQuery({ state: value === 'all' ? undefined : value })}
            options={STATES.map(one => [one, say(one)] as const)}
          />
          <Select
            label={say('show')}
            value={kind ?? 'all'}
            onChange={value => setQuery({ show: value === 'all' ? undefined : value })}
            options={[['all', say('all')], ...KINDS.map(one => [one, say(`show.${one}`)] as const)]}
          />
          <TimeField label={say('from')} name="from" />
          <TimeField label={say('to')} name="to" />
          <div class="wide">
            <SearchField label={say('find')} name="find" />
          </div>
          {me.value?.finds_meaning && (
            <Select
              label={say('by')}
              value={query.by ?? 'words'}
              onChange={value => setQuery({ by: value === 'words' ? undefined : value })}
              options={[
                ['words', say('find.words')],
                ['meaning', say('find.meaning')],
              ]}
            />
          )}
        </Folded>
      }
    >
      {agentId => {
        const which = { accountId: account.value?.id ?? '', agentId }
        if (query.find !== undefined) return <Found {...which} />
        return kind === undefined ? <Newest {...which} /> : <OfKind {...which} kind={kind} />
      }}
    </AgentPage>
  )
}
