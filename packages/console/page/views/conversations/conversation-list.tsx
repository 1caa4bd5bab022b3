import { useState } from 'preact/hooks'
import { MOST_AGENTS } from '../../data/agents.ts'
import { useNewest } from '../../data/newest.ts'
import { type Pages, usePages } from '../../data/pages.ts'
import { type Metrics, shownOf } from '../../data/rating.ts'
import { href, route, setQuery } from '../../router.ts'
import { account, me } from '../../session.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { visitorName } from '../../texts/visitors.ts'
import { VisitorAvatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { Folded } from '../../ui/folded.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { Badge, Empty, Time } from '../../ui/parts.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { TalkLink } from '../../ui/talk-link.tsx'
import { TimeField } from '../../ui/time-field.tsx'
import { AgentPage } from '../agent-page.tsx'
import { OfAgent, OfAnyAgent } from './agent-filters.tsx'
import { CHOICES, type Choice, chosen, conditionOf } from './conditions.ts'
import { Export } from './export-dialog.tsx'
import { type Reading, readingOf } from './reading.ts'
import type { Row } from './row.ts'
import { SavedViews } from './saved-views.tsx'
import { say } from './texts.ts'

/** Number of conversations in one request. */
const LIMIT = 50

interface RowTableProps {
  readonly agentId: string
  /** Names of the agents by their ids, of a list across agents. Null for one agent. */
  readonly agentNames: ReadonlyMap<string, string> | null
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

/** The passage that a search has found, with its words marked; otherwise the first words. */
const Words = ({ row: { first_words: first, passage } }: { readonly row: Row }) => (
  <span class="clipped">
    {passage
      ? passage.map(({ text, isFound }, at) => (isFound ? <mark key={at}>{text}</mark> : text))
      : first}
  </span>
)

function RowTable({ agentId, agentNames, pages, isFollowed = false }: RowTableProps) {
  return (
    <PagedTable
      pages={pages}
      isFollowed={isFollowed}
      empty={
        <Empty icon="conversations" title={say('none')}>
          <p>{say('none.why')}</p>
          <TalkLink agentId={agentId} />
        </Empty>
      }
      caption={say('title')}
      keyOf={({ id }) => id}
      columns={[
        {
          title: say('you.visitor'),
          cell: ({ id, project_id: ofAgent, visitor }) => (
            <span class="named">
              <VisitorAvatar id={id} name={visitor?.name} isTiny />
              <a href={href(['conversations', ofAgent, id])}>{visitorName(id, visitor?.name)}</a>
            </span>
          ),
        },
        ...(agentNames === null
          ? []
          : [
              {
                title: sayCommon('agent'),
                cell: ({ project_id: id }: Row) => <span class="cut">{agentNames.get(id) ?? id}</span>,
              },
            ]),
        {
          title: say(route.value.query.find === undefined ? 'visitor' : 'passage'),
          cell: row => <Words row={row} />,
        },
        { title: say('started'), cell: ({ started_at }) => <Time at={started_at} isShort /> },
        { title: say('turns'), cell: ({ num_turns }) => num_turns, isNumber: true },
        ...(agentNames === null
          ? [{ title: say('variant'), cell: ({ variant_name }: Row) => variant_name }]
          : []),
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

/** The newest, which are followed. */
function Newest({ agentId, keys, read }: Reading & { readonly agentId: string }) {
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
      <RowTable agentId={agentId} agentNames={null} pages={pages} isFollowed />
    </>
  )
}

/** Those that a search or a filter selects, or those of several agents. */
function Selected({ keys, read, ...table }: Reading & Pick<RowTableProps, 'agentId' | 'agentNames'>) {
  return <RowTable {...table} pages={usePages<Row>(read, keys)} />
}

/** Names of the filters beside agent and environment. */
const FILTERS = [
  'state',
  'from',
  'to',
  'channel',
  'topic',
  'variant',
  'version',
  'language',
  ...Object.keys(CHOICES),
]

/** A filter of the list with its choices, and all. */
function Choose({ name }: { readonly name: Choice }) {
  const text = (one: string): string => {
    if (name === 'longer') return say('longer.than', { count: Number(one) })
    if (name === 'rating') return one === 'any' ? say('rating.any') : say('rating.of', { score: one })
    return say(`${name}.${one === 'yes' ? 'yes' : 'no'}`)
  }
  return (
    <Select
      label={say(name)}
      value={chosen(name, route.value.query) ?? 'all'}
      onChange={value => setQuery({ [name]: value === 'all' ? undefined : value })}
      options={['all', ...CHOICES[name]].map(one => [one, one === 'all' ? say('all') : text(one)] as const)}
    />
  )
}

/** Filters that few need. */
const MoreFilters = ({ agentId }: { readonly agentId: string }) => (
  <>
    <Choose name="handoff" />
    <Choose name="answered" />
    <Choose name="rating" />
    <Choose name="longer" />
    {route.value.query.agents === 'all' ? <OfAnyAgent /> : <OfAgent agentId={agentId} />}
    <SearchField label={say('channel')} name="channel" />
    <SearchField label={say('language')} name="language" />
  </>
)

const STATES = ['all', 'running', 'ended'] as const

/**
 * Shows the conversations of an agent, newest first. The filters are in the address, so that it can be sent to others.
 */
export function ConversationList() {
  const { query } = route.value
  const [isExporting, setExporting] = useState(false)
  return (
    <AgentPage
      title={say('title')}
      area="conversations"
      isAcross
      actions={
        <Button icon="download" onClick={() => setExporting(true)}>
          {say('export')}
        </Button>
      }
      filters={agentId => (
        <>
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
          <Folded active={FILTERS.filter(name => query[name] !== undefined).length}>
            <TimeField label={say('from')} name="from" />
            <TimeField label={say('to')} name="to" />
            <Select
              label={say('state')}
              value={query.state ?? 'all'}
              onChange={value => setQuery({ state: value === 'all' ? undefined : value })}
              options={STATES.map(one => [one, say(one)] as const)}
            />
            <MoreFilters agentId={agentId} />
          </Folded>
        </>
      )}
    >
      {(agentId, agents) => {
        const isAcross = query.agents === 'all'
        const shown = agents.slice(0, MOST_AGENTS)
        const agentIds = isAcross ? shown.map(one => one.agentId) : [agentId]
        const of = { accountId: account.value?.id ?? '', agentIds }
        const reading = readingOf(of, query, LIMIT)
        const isNewest = !isAcross && query.find === undefined && conditionOf(query) === null
        const agentNames = isAcross ? new Map(shown.map(one => [one.agentId, one.agentName])) : null
        return (
          <>
            <SavedViews />
            {isAcross && shown.length < agents.length && (
              <p class="quiet small">{say('across.most', { count: MOST_AGENTS })}</p>
            )}
            {isExporting && <Export of={of} filters={query} onClose={() => setExporting(false)} />}
            {isNewest ? (
              <Newest agentId={agentId} {...reading} />
            ) : (
              <Selected agentId={agentId} agentNames={agentNames} {...reading} />
            )}
          </>
        )
      }}
    </AgentPage>
  )
}
