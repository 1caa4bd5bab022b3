import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { api } from '../../api.ts'
import { type ListedAgent, MOST_AGENTS } from '../../data/agents.ts'
import { useResource } from '../../data/resource.ts'
import { saveFile } from '../../data/save-file.ts'
import { useVersionNames } from '../../data/version-names.ts'
import { environmentOf } from '../../environments.ts'
import { route, setQuery } from '../../router.ts'
import { account } from '../../session.ts'
import { written } from '../../texts/language.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Select } from '../../ui/field.tsx'
import { Empty, Pending, Table } from '../../ui/parts.tsx'
import { ReleaseField } from '../../ui/release.tsx'
import { TalkLink } from '../../ui/talk-link.tsx'
import { TimeField } from '../../ui/time-field.tsx'
import { AgentPage } from '../agent-page.tsx'
import { HealthFigures } from './health-figures.tsx'
import { Plot } from './plot.tsx'
import { QualityOverTime } from './quality-over-time.tsx'
import {
  csvOf,
  type Interval,
  peaksOf,
  RANGES,
  type Range,
  type RangeName,
  rangeOf,
  type Span,
  spansOf,
  weeksOf,
} from './series.ts'
import { say } from './texts.ts'

/** Ranges up to this many hours have a row per hour in the table, longer ones a row per day. */
const HOURLY = 48

/** Parts into which the conversations can be divided, each with a line of its own. */
const SLICES = ['variant', 'deployment'] as const
type Slice = (typeof SLICES)[number]

interface FiguresProps {
  readonly agentId: string
  readonly intervals: readonly Interval[]
  readonly range: Range
  readonly slice: Slice | undefined
  /** Returns the name of a deployment. */
  readonly versionOf: (deploymentId: string) => string
  /** Content between the plot and the table, which is long. */
  readonly children: ComponentChildren
}

function Figures({ agentId, intervals, range, slice, versionOf, children }: FiguresProps) {
  const isByDay = range.end - range.start > HOURLY * 3_600_000
  const peaks = useMemo(() => peaksOf(intervals, range), [intervals, range])
  const spans = useMemo(() => spansOf(peaks, isByDay), [peaks, isByDay])
  const most = peaks.series.map((one, at) => {
    const all = spans.map(({ highest }) => highest[at] ?? { peak: 0, at: 0 })
    return {
      ...one,
      ...all.reduce((best, next) => (next.peak >= best.peak ? next : best), { peak: 0, at: 0 }),
    }
  })
  if (most.every(({ peak }) => peak === 0))
    return (
      <Empty icon="concurrency" title={say('none')}>
        <p>{say('none.why')}</p>
        <TalkLink agentId={agentId} />
      </Empty>
    )
  function nameOf(name: string): string {
    if (slice === undefined) return say('all')
    if (name === '') return say(`no.${slice}`)
    return slice === 'deployment' ? versionOf(name) : name
  }
  return (
    <div class="stack">
      <ul class="legend" aria-label={say('highest')}>
        {most.map(({ id, name, peak, at }, place) => (
          <li key={id}>
            <span class={`swatch plot-${(place % 4) + 1}`} aria-hidden="true" />
            {nameOf(name)}{' '}
            <span class="quiet">
              {say('highest')}: {peak > 0 ? say('highest.at', { peak, time: written(at) }) : 0}
            </span>
          </li>
        ))}
      </ul>
      <Plot label={say('plot')} peaks={peaks} nameOf={nameOf} />
      {children}
      <Table<Span>
        caption={say('title')}
        rows={spans}
        keyOf={({ start }) => String(start)}
        columns={[
          {
            title: say(isByDay ? 'day' : 'hour'),
            cell: ({ start }) =>
              written(
                start,
                isByDay ? { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } : undefined,
              ),
          },
          ...peaks.series.flatMap(({ name }, place) => [
            { title: nameOf(name), cell: ({ highest }: Span) => highest[place]?.peak ?? 0, isNumber: true },
            ...(slice !== undefined
              ? []
              : [
                  {
                    title: say('at'),
                    cell: ({ highest }: Span) =>
                      (highest[place]?.peak ?? 0) > 0
                        ? written(highest[place]?.at ?? 0, { timeStyle: 'short' })
                        : '',
                  },
                ]),
          ]),
        ]}
      />
    </div>
  )
}

/** An agent as figures name it. */
type NamedAgent = Pick<ListedAgent, 'agentId' | 'agentName'>

/** Shows the figures over time of all agents that the person may read. */
function Across({ agents }: { readonly agents: readonly ListedAgent[] }) {
  const { query } = route.value
  const asked = query.range === 'own' ? `${query.from} ${query.to}` : query.range
  const range = useMemo(() => rangeOf(query, Date.now()), [asked])
  const shown = agents.slice(0, MOST_AGENTS)
  return (
    <>
      {shown.length < agents.length && (
        <p class="quiet small">{say('across.most', { count: MOST_AGENTS })}</p>
      )}
      <QualityOverTime
        accountId={account.value?.id ?? ''}
        agents={shown}
        environment={environmentOf(query.environment, 'live')}
        range={range}
      />
    </>
  )
}

function Peaks({ agent }: { readonly agent: NamedAgent }) {
  const { agentId } = agent
  const accountId = account.value?.id ?? ''
  const { query } = route.value
  const environment = environmentOf(query.environment, 'live')
  const slice = SLICES.find(one => one === query.by)
  const deploymentId = query.version?.trim() ?? ''
  const asked = query.range === 'own' ? `${query.from} ${query.to}` : query.range

  async function read(signal: AbortSignal) {
    const range = rangeOf(query, Date.now())
    const intervals: Interval[] = []
    for (const { start, end } of weeksOf(range)) {
      const input = {
        ...{ account_id: accountId, project_id: agentId, client_env: environment },
        start_time: new Date(start).toISOString(),
        end_time: new Date(end).toISOString(),
        ...(slice && { slice_by: slice }),
        ...(deploymentId && { deployment_id: deploymentId }),
      }
      for (const interval of (await api.readConcurrency(input, { signal })).intervals)
        intervals.push(interval)
    }
    return { range, intervals }
  }

  const versionOf = useVersionNames(agentId, environment)
  const { value, error, reload } = useResource(read, [
    accountId,
    agentId,
    environment,
    asked,
    slice,
    deploymentId,
  ])
  if (value === undefined) return error === null ? <Pending /> : <Failure error={error} again={reload} />
  const { range, intervals } = value
  const [from, to] = [range.start, range.end].map(time => new Date(time).toISOString().slice(0, 10))
  return (
    <>
      <div class="stack">
        <Figures {...value} agentId={agentId} slice={slice} versionOf={versionOf}>
          <HealthFigures {...{ accountId, agentId, deploymentId, environment, range }} />
        </Figures>
        <div class="actions">
          <Button
            icon="download"
            onClick={() =>
              saveFile(`concurrency-${agentId}-${from}-${to}.csv`, 'text/csv', [csvOf(intervals)])
            }
          >
            {say('export')}
          </Button>
        </div>
      </div>
      <QualityOverTime accountId={accountId} agents={[agent]} environment={environment} range={range} />
    </>
  )
}

/** Shows the number of simultaneous conversations in steps of five minutes, and the agent's figures. */
export function View() {
  const { query } = route.value
  const names = Object.keys(RANGES) as RangeName[]
  const isOwn = query.range === 'own'
  const isWhole = !isOwn || rangeOf(query, Date.now()).name === 'own'
  return (
    <AgentPage
      title={say('title')}
      area="concurrency"
      isAcross
      filters={agentId => (
        <>
          <Select
            label={say('range')}
            value={isOwn ? 'own' : rangeOf(query, 0).name}
            onChange={value => setQuery({ range: value === 'day' ? undefined : value })}
            options={[...names, 'own' as const].map(one => [one, say(`range.${one}`)] as const)}
          />
          {isOwn && <TimeField label={say('from')} name="from" />}
          {isOwn && <TimeField label={say('to')} name="to" />}
          {query.agents !== 'all' && (
            <>
              <Select
                label={say('by')}
                value={query.by ?? ''}
                onChange={by => setQuery({ by: by || undefined })}
                options={[['', say('by.none')], ...SLICES.map(one => [one, say(`by.${one}`)] as const)]}
              />
              <ReleaseField
                agentId={agentId}
                id={query.version ?? ''}
                onChange={id => setQuery({ version: id || undefined })}
              />
            </>
          )}
        </>
      )}
    >
      {(agentId, agents) => {
        if (!isWhole) return <p class="quiet">{say('incomplete')}</p>
        if (query.agents === 'all') return <Across agents={agents} />
        // A deleted agent is no longer in the list.
        const agent = agents.find(one => one.agentId === agentId)
        return <Peaks agent={agent ?? { agentId, agentName: agentId }} />
      }}
    </AgentPage>
  )
}
