import { api } from '../../api.ts'
import { usePages } from '../../data/pages.ts'
import { href, route, setQuery } from '../../router.ts'
import { account } from '../../session.ts'
import { Select } from '../../ui/field.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { Badge, Empty, Time } from '../../ui/parts.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { TimeField } from '../../ui/time-field.tsx'
import { AgentPage } from '../agent-page.tsx'
import { questionOf } from './filters.ts'
import { say } from './texts.ts'

type Row = Awaited<ReturnType<typeof api.listConversations>>['conversations'][number]

/** How many are asked for at a time. */
const LIMIT = 50

const firstWords = ({ turns }: Row): string =>
  turns.find(({ user_input }) => user_input !== '')?.user_input ?? ''

interface RowsProps {
  readonly accountId: string
  readonly agentId: string
}

function Rows({ accountId, agentId }: RowsProps) {
  const question = questionOf(route.value.query)
  const pages = usePages(
    async (cursor, signal) => {
      const page = await api.listConversations(
        { account_id: accountId, project_id: agentId, limit: LIMIT, ...question, ...cursor },
        { signal },
      )
      return { rows: page.conversations, cursor: page.cursor }
    },
    [accountId, agentId, JSON.stringify(question)],
  )
  return (
    <PagedTable
      pages={pages}
      empty={
        <Empty title={say('none')}>
          <p>{say('none.why')}</p>
        </Empty>
      }
      caption={say('title')}
      keyOf={({ id }) => id}
      columns={[
        {
          title: say('started'),
          cell: ({ id, started_at }) => (
            <a href={href(['conversations', agentId, id])}>
              <Time at={started_at} />
            </a>
          ),
        },
        { title: say('visitor'), cell: row => <span class="clipped">{firstWords(row)}</span> },
        { title: say('turns'), cell: ({ num_turns }) => num_turns, isNumber: true },
        { title: say('variant'), cell: ({ variant_name }) => variant_name },
        {
          title: say('state'),
          cell: ({ in_progress, handoff, handoff_destination }) => (
            <>
              {in_progress && <Badge tone="good">{say('running')}</Badge>}{' '}
              {handoff && <Badge tone="accent">{handoff_destination || say('handoff')}</Badge>}
            </>
          ),
        },
      ]}
    />
  )
}

const STATES = ['all', 'running', 'ended'] as const

/** The conversations of an agent, newest first. The filters are in the address, so that it can be sent to others. */
export function ConversationList() {
  const { query } = route.value
  return (
    <AgentPage
      title={say('title')}
      area="conversations"
      filters={
        <>
          <Select
            label={say('state')}
            value={query.state ?? 'all'}
            onChange={value => setQuery({ state: value === 'all' ? undefined : value })}
            options={STATES.map(one => [one, say(one)] as const)}
          />
          <TimeField label={say('from')} name="from" />
          <TimeField label={say('to')} name="to" />
          <div class="wide">
            <SearchField label={say('find')} name="find" />
          </div>
          <Select
            label={say('by')}
            value={query.by ?? 'words'}
            onChange={value => setQuery({ by: value === 'words' ? undefined : value })}
            options={[
              ['words', say('find.words')],
              ['meaning', say('find.meaning')],
            ]}
          />
        </>
      }
    >
      {agentId => <Rows accountId={account.value?.id ?? ''} agentId={agentId} />}
    </AgentPage>
  )
}
