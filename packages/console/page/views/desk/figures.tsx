import type { DeskFigures } from '@colloquy/client/http'
import { api } from '../../api.ts'
import { useResource } from '../../data/resource.ts'
import { href, route, setQuery } from '../../router.ts'
import { account } from '../../session.ts'
import { say } from '../../texts/desk-figures.ts'
import { locale, written } from '../../texts/language.ts'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Select } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Pending, Table, Tabs } from '../../ui/parts.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { type Bar, barsOf, clockOf, rangeOf, SPANS, type SpanName, spanOf } from './figures.ts'

/** Seconds in which a visitor is to be answered. */
const WITHIN = [10, 30, 60, 120, 300] as const

const share = (part: number, whole: number): string =>
  whole === 0 ? '–' : new Intl.NumberFormat(locale(), { style: 'percent' }).format(part / whole)

/** The colour of each part of a bar. */
const COLOUR = { answered: 'plot-1', abandoned: 'plot-3', unanswered: 'plot-4' } as const

const WIDTH = 600
const HEIGHT = 120

/** Shows what became of the visitors of each hour or day. The table below says the same in numbers. */
function Plot({ bars, isByDay }: { readonly bars: readonly Bar[]; readonly isByDay: boolean }) {
  const step = WIDTH / bars.length
  const when = (time = ''): string =>
    written(time, isByDay ? { dateStyle: 'medium' } : { timeStyle: 'short' })
  return (
    <figure class="desk-plot">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={say('plot')}>
        {bars.map(({ from, parts, ...counts }, at) => {
          let top = HEIGHT
          return (
            <g key={from}>
              <title>
                {`${when(from)}: ${say('answered')} ${counts.answered}, ${say('abandoned')} ${counts.abandoned}, ${say('unanswered')} ${counts.unanswered}`}
              </title>
              {parts.map(({ name, share: height }) => {
                top -= height * HEIGHT
                const [x, width] = [at * step + step * 0.1, step * 0.8]
                return (
                  <rect
                    class={COLOUR[name]}
                    key={name}
                    x={x}
                    y={top}
                    width={width}
                    height={height * HEIGHT}
                  />
                )
              })}
            </g>
          )
        })}
      </svg>
      <figcaption class="actions apart quiet small">
        <span>{when(bars[0]?.from)}</span>
        <ul class="legend">
          {(['answered', 'abandoned', 'unanswered'] as const).map(name => (
            <li key={name}>
              <span class={`swatch ${COLOUR[name]}`} aria-hidden="true" />
              {say(name)}
            </li>
          ))}
        </ul>
        <span>{when(bars.at(-1)?.from)}</span>
      </figcaption>
    </figure>
  )
}

interface RowsProps {
  readonly title: string
  /** The heading of the names. */
  readonly of: string
  readonly rows: readonly (DeskFigures & { readonly key: string; readonly name: string })[]
  /** Whether visitors who left count for a row: nobody left a live agent who never came. */
  readonly hasLeft: boolean
}

function Rows({ title, of, rows, hasLeft }: RowsProps) {
  const left = [
    { title: say('abandoned'), cell: (one: DeskFigures) => one.abandoned, isNumber: true },
    { title: say('unanswered'), cell: (one: DeskFigures) => one.unanswered, isNumber: true },
  ]
  return (
    <section class="stack tight">
      <h2>{title}</h2>
      <Table
        caption={title}
        rows={rows}
        keyOf={({ key }) => key}
        columns={[
          { title: of, cell: ({ name }) => name },
          { title: say('answered'), cell: ({ answered }) => answered, isNumber: true },
          {
            title: say('in-time'),
            cell: one => share(one.answered_within, one.answered),
            isNumber: true,
          },
          { title: say('wait'), cell: one => clockOf(one.median_wait_seconds), isNumber: true },
          { title: say('longest'), cell: one => clockOf(one.longest_wait_seconds), isNumber: true },
          ...(hasLeft ? left : []),
          { title: say('handled'), cell: ({ handled }) => handled, isNumber: true },
          { title: say('handling'), cell: one => clockOf(one.median_handling_seconds), isNumber: true },
          { title: say('declined'), cell: ({ declined }) => declined, isNumber: true },
        ]}
      />
    </section>
  )
}

/** Shows how long visitors waited, and how many were answered, by queue and by live agent. */
export function Figures() {
  const { query } = route.value
  const span = spanOf(query.span)
  const within = WITHIN.find(one => String(one) === query.within) ?? 60
  const version = query.version?.trim()
  const { value, error, reload } = useResource(
    signal =>
      api.readDeskFigures(
        {
          ...{ ...rangeOf(span, Date.now()), answered_within: within },
          ...(version && { deployment_id: version }),
        },
        { signal },
      ),
    [account.value?.id, span, within, version],
  )
  const isEmpty = value !== undefined && value.queues.length === 0
  const isCut = value !== undefined && Date.parse(value.to) - Date.parse(value.from) < SPANS[span] * 3_600_000
  return (
    <Page title={say('desk')}>
      <DeskTabs current="figures" />
      <div class="filters">
        <Select
          label={say('span')}
          value={span}
          onChange={one => setQuery({ span: one })}
          options={(Object.keys(SPANS) as SpanName[]).map(one => [one, say(`span.${one}`)] as const)}
        />
        <Select
          label={say('within')}
          value={String(within)}
          onChange={one => setQuery({ within: one })}
          options={WITHIN.map(one => [String(one), say('seconds', { count: one })] as const)}
        />
        <SearchField label={say('deployment')} name="version" />
      </div>
      <Failure error={error} again={reload} />
      {value === undefined && error === null && <Pending />}
      {isEmpty && (
        <Empty icon="desk" title={say('none')}>
          <p>{say('none.why')}</p>
        </Empty>
      )}
      {value !== undefined && !isEmpty && (
        <div class="stack desk-figures">
          {isCut && <p class="note">{say('cut', { time: written(value.from) })}</p>}
          <Facts isSheet>
            <Fact name={say('answered')}>{value.all.answered}</Fact>
            <Fact name={say('in-time')}>{share(value.all.answered_within, value.all.answered)}</Fact>
            <Fact name={say('abandoned')}>{value.all.abandoned}</Fact>
            <Fact name={say('unanswered')}>{value.all.unanswered}</Fact>
            <Fact name={say('wait')}>{clockOf(value.all.median_wait_seconds)}</Fact>
            <Fact name={say('longest')}>{clockOf(value.all.longest_wait_seconds)}</Fact>
            <Fact name={say('handling')}>{clockOf(value.all.median_handling_seconds)}</Fact>
          </Facts>
          <Plot bars={barsOf(value.times)} isByDay={span !== 'day'} />
          <Rows
            title={say('queues')}
            of={say('queue')}
            hasLeft
            rows={value.queues.map(one => ({ ...one, key: one.queue_name, name: one.queue_name }))}
          />
          <Rows
            title={say('people')}
            of={say('person')}
            hasLeft={false}
            rows={value.live_agents.map(one => ({ ...one, key: one.id }))}
          />
        </div>
      )}
    </Page>
  )
}

/** Leads from the desk to its figures, and back. */
export const DeskTabs = ({ current }: { readonly current: 'desk' | 'figures' }) => (
  <Tabs
    label={say('views')}
    current={current}
    tabs={[
      ['desk', say('visitors'), href(['desk'])],
      ['figures', say('figures'), href(['desk', 'figures'])],
    ]}
  />
)
