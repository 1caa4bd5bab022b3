import { useState } from 'preact/hooks'
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
import { Export } from './export-dialog.tsx'
import { KINDS, kindOf } from './kinds.ts'
import { type Metrics, shownOf } from './rating.ts'
import { type Reading, readingOf } from './reading.ts'
import type { Row } from './row.ts'
import { SavedViews } from './saved-views.tsx'
import { say } from './texts.ts'

/** Number of conversations in one request. */
const LIMIT = 50

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
      <RowTable agentId={agentId} pages={pages} isFollowed />
    </>
  )
}

/** Those that a search or a kind selects. */
function Selected({ agentId, keys, read }: Reading & { readonly agentId: string }) {
  return <RowTable agentId={agentId} pages={usePages<Row>(read, keys)} />
}

const STATES = ['all', 'running', 'ended'] as const

/**
 * Shows the conversations of an agent, newest first. The filters are in the address, so that it can be sent to others.
 */
export function ConversationList() {
  const { query } = route.value
  const kind = kindOf(query.show)
  const [isExporting, setExporting] = useState(false)
  return (
    <AgentPage
      title={say('title')}
      area="conversations"
      actions={
        <Button icon="download" onClick={() => setExporting(true)}>
          {say('export')}
        </Button>
      }
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
        const of = { accountId: account.value?.id ?? '', agentId }
        const reading = readingOf(of, query, LIMIT)
        const isNewest = query.find === undefined && kind === undefined
        return (
          <>
            <SavedViews />
            {isExporting && <Export of={of} filters={query} onClose={() => setExporting(false)} />}
            {isNewest ? (
              <Newest agentId={agentId} {...reading} />
            ) : (
              <Selected agentId={agentId} {...reading} />
            )}
          </>
        )
      }}
    </AgentPage>
  )
}
