import { useMemo } from 'preact/hooks'
import { askConsole } from '../../api.ts'
import type { ListedAgent } from '../../data/agents.ts'
import { useResource } from '../../data/resource.ts'
import { useVersionNames } from '../../data/version-names.ts'
import type { Environment } from '../../environments.ts'
import { localOf } from '../../moments.ts'
import { href, route, setQuery } from '../../router.ts'
import { locale, written } from '../../texts/language.ts'
import { Failure } from '../../ui/failure.tsx'
import { Select } from '../../ui/field.tsx'
import { Empty, Pending, Table } from '../../ui/parts.tsx'
import { TalkLink } from '../../ui/talk-link.tsx'
import { type Cell, type Counted, GROUPS, type Line, linesOf, stepsOf, strokesOf } from './quality.ts'
import type { Range } from './series.ts'
import { say } from './texts.ts'

/** Conversations that are read of each agent and each day or week: the newest ones, fewer of many agents. */
const SAMPLE = { ofOne: 200, ofAll: 1_000, least: 20 }

const sampleOf = (agents: number): number =>
  Math.max(SAMPLE.least, Math.min(SAMPLE.ofOne, Math.floor(SAMPLE.ofAll / agents)))

/** Requests at once. */
const AT_ONCE = 4

const percent = (value: number): string =>
  new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 0 }).format(value)

const score = (value: number | null): string =>
  value === null
    ? ''
    : new Intl.NumberFormat(locale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value)

interface ChartProps {
  readonly title: string
  readonly lines: readonly Line[]
  /** Returns the place of a figure between the lowest, 0, and the highest, 1. */
  readonly place: (cell: Cell) => number | null
  readonly low: string
  readonly high: string
  /** Names of the days or weeks, in their order. */
  readonly days: readonly string[]
}

const WIDTH = 600
const HEIGHT = 120

/** The first and the last day are named below the axis, and the one in the middle if there is one. */
const isNamed = (_: string, at: number, { length }: readonly string[]): boolean =>
  !(at % ((length - 1) / 2) > 0)

/** Shows a figure over time, a line for each group. The table below has the same figures. */
function Chart({ title, lines, place, low, high, days }: ChartProps) {
  return (
    <figure class="chart card">
      <figcaption class="small">{title}</figcaption>
      <span class="quiet small">{high}</span>
      <svg
        viewBox={`-4 -4 ${WIDTH + 8} ${HEIGHT + 8}`}
        role="img"
        aria-label={say('quality.plot', { title })}
      >
        <path class="plot-line" d={`M0 0H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT}H${WIDTH}`} />
        {lines.map(({ name, cells }, at) =>
          strokesOf(cells.map(cell => cell && place(cell))).map((points, stroke) => (
            <g key={`${name} ${stroke}`} class={`plot-${at + 1}`}>
              <polyline points={points.map(([x, y]) => `${x * WIDTH},${(1 - y) * HEIGHT}`).join(' ')} />
              {points.map(([x, y]) => (
                <circle key={x} cx={x * WIDTH} cy={(1 - y) * HEIGHT} r="3" />
              ))}
            </g>
          )),
        )}
      </svg>
      <span class="quiet small">{low}</span>
      <span class="days quiet small">
        {days.filter(isNamed).map(day => (
          <span key={day}>{day}</span>
        ))}
      </span>
    </figure>
  )
}

interface QualityProps {
  readonly accountId: string
  readonly agents: readonly Pick<ListedAgent, 'agentId' | 'agentName'>[]
  readonly environment: Environment
  readonly range: Range
}

/** A row of the table. */
interface Row {
  readonly start: number
  readonly line: Line
  readonly cell: Cell
}

/** Shows the visitors' ratings and the share without a handoff, by day, week or four weeks, with the table of the figures. */
export function QualityOverTime({ accountId, agents, environment, range }: QualityProps) {
  const groups = GROUPS.filter(one => one !== 'agent' || agents.length > 1)
  const group = groups.find(one => one === route.value.query.group) ?? 'all'
  const sample = sampleOf(agents.length)
  const versionOf = useVersionNames(agents.length === 1 ? (agents[0]?.agentId ?? '') : '', environment)
  const { step, steps } = useMemo(() => stepsOf(range), [range])
  const ids = agents.map(({ agentId }) => agentId)
  async function readStep(
    agentId: string,
    { start, end }: Range,
    signal: AbortSignal,
  ): Promise<readonly Counted[]> {
    const path = `/console/v1/${[accountId, agentId, 'conversations'].map(encodeURIComponent).join('/')}`
    const given = {
      ...{ client_env: environment, limit: String(sample) },
      ...{ start_time: new Date(start).toISOString(), end_time: new Date(end).toISOString() },
    }
    const answer = await askConsole(`${path}?${new URLSearchParams(given)}`, signal)
    return (answer as { readonly conversations: readonly Counted[] }).conversations
  }
  const { value, error, reload } = useResource(
    async signal => {
      const spans: Counted[][] = steps.map(() => [])
      const wanted = steps.flatMap((step, at) => ids.map(id => ({ at, id, step })))
      for (let from = 0; from < wanted.length; from += AT_ONCE)
        await Promise.all(
          wanted.slice(from, from + AT_ONCE).map(async ({ at, id, step }) => {
            for (const row of await readStep(id, step, signal)) spans[at]?.push(row)
          }),
        )
      return spans
    },
    [accountId, ...ids, environment, range.start, range.end],
  )
  if (value === undefined) return error === null ? <Pending /> : <Failure error={error} again={reload} />
  const lines = linesOf(value, group)
  const agentNames = new Map(agents.map(({ agentId, agentName }) => [agentId, agentName]))
  function nameOf({ name }: Line): string {
    if (group === 'agent') return agentNames.get(name) ?? name
    return group === 'version' ? versionOf(name) : name || say('all')
  }
  /** Returns the address of the conversations of a group in a span; null if no filter selects them. */
  function listOf(name: string, start: number): string | null {
    const at = (time: number): string => localOf(new Date(time).toISOString())
    const span = { from: at(start), to: at(steps.find(one => one.start === start)?.end ?? range.end) }
    const of = environment === 'live' ? span : { ...span, environment }
    const [first = ''] = ids
    if (group === 'agent') return href(['conversations', name], of)
    const all = ids.length > 1 ? { ...of, agents: 'all' } : of
    if (group === 'version') return href(['conversations', first], { ...all, version: name })
    return group === 'topic' ? href(['conversations', first], { ...all, topic: name }) : null
  }
  const days = steps.map(({ start }) => written(start, { day: 'numeric', month: 'short' }))
  const share = say(group === 'queue' ? 'quality.share' : 'quality.contained')
  const rows = steps.flatMap(({ start }, at) =>
    lines.flatMap((line): readonly Row[] => {
      const cell = line.cells[at]
      return cell ? [{ start, line, cell }] : []
    }),
  )
  return (
    <section class="stack quality" aria-labelledby="quality">
      <h2 id="quality">{say('quality')}</h2>
      <p class="quiet">
        {say(agents.length > 1 ? `quality.${step}.each` : `quality.${step}`, { count: sample })}
      </p>
      <div class="filters">
        <Select
          label={say('quality.by')}
          value={group}
          onChange={next => setQuery({ group: next === 'all' ? undefined : next })}
          options={groups.map(one => [one, say(`quality.by.${one}`)] as const)}
        />
      </div>
      {rows.length === 0 ? (
        <Empty icon="star" title={say('quality.none')}>
          {agents.length === 1 && <TalkLink agentId={agents[0]?.agentId ?? ''} />}
        </Empty>
      ) : (
        <>
          {group !== 'all' && (
            <ul class="legend">
              {lines.map((line, at) => (
                <li key={line.name}>
                  <span class={`swatch plot-${at + 1}`} aria-hidden="true" /> {nameOf(line)}
                </li>
              ))}
            </ul>
          )}
          <div class="charts">
            <Chart
              title={share}
              lines={lines}
              place={cell => cell.share}
              days={days}
              low={percent(0)}
              high={percent(1)}
            />
            <Chart
              title={say('quality.rating')}
              lines={lines}
              place={cell => (cell.rating === null ? null : (cell.rating - 1) / 4)}
              days={days}
              low={score(1)}
              high={score(5)}
            />
          </div>
          <Table
            caption={say('quality')}
            rows={rows.toReversed()}
            keyOf={({ line, start }) => `${start} ${line.name}`}
            columns={[
              { title: say(step), cell: ({ start }) => written(start, { dateStyle: 'medium' }) },
              ...(group === 'all'
                ? []
                : [
                    {
                      title: say(`quality.by.${group}`),
                      cell: ({ line, start }: Row) => {
                        const to = listOf(line.name, start)
                        return to === null ? nameOf(line) : <a href={to}>{nameOf(line)}</a>
                      },
                    },
                  ]),
              { title: say('quality.count'), cell: ({ cell }) => cell.count, isNumber: true },
              { title: share, cell: ({ cell }) => percent(cell.share), isNumber: true },
              { title: say('quality.rating'), cell: ({ cell }) => score(cell.rating), isNumber: true },
            ]}
          />
        </>
      )}
    </section>
  )
}
