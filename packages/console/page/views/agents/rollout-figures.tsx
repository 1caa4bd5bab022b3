import type { ComponentChildren } from 'preact'
import type { api } from '../../api.ts'
import { locale } from '../../texts/language.ts'
import { Badge, Table } from '../../ui/parts.tsx'
import { Plot } from '../concurrency/plot.tsx'
import { say } from './rollout-texts.ts'

type Report = Awaited<ReturnType<typeof api.readRollout>>
type Estimate = Report['figures']['base']['contained']
type Difference = Report['figures']['differences']['contained']

const MEASURES = ['contained', 'understood', 'satisfied', 'engaged'] as const

const TONES = { not_enough: 'plain', no_difference: 'plain', better: 'good', worse: 'bad' } as const

const percent = (value: number): string =>
  new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 1 }).format(value)

const signed = (value: number): string =>
  new Intl.NumberFormat(locale(), { maximumFractionDigits: 1, signDisplay: 'exceptZero' }).format(value * 100)

/** A figure, and below it the range that holds the true one. */
const ranged = (figure: string, low: string, high: string): ComponentChildren => (
  <>
    {figure}
    <br />
    <span class="quiet small">{say('range', { low, high })}</span>
  </>
)

const shown = ({ high, low, of, share }: Estimate): ComponentChildren =>
  of === 0 ? say('estimate.none') : ranged(percent(share), percent(low), percent(high))

const differing = ({ high, low, value, verdict }: Difference): ComponentChildren =>
  verdict === 'not_enough'
    ? say('estimate.none')
    : ranged(say('points', { value: signed(value) }), signed(low), signed(high))

const milliseconds = (latency: Report['figures']['base']['latency']): string =>
  latency === null
    ? say('estimate.none')
    : new Intl.NumberFormat(locale(), {
        style: 'unit',
        unit: 'millisecond',
        maximumFractionDigits: 0,
      }).format(latency.median)

interface Row {
  readonly name: string
  readonly base: ComponentChildren
  readonly candidate: ComponentChildren
  readonly difference: Difference | null
}

const rowsOf = ({ base, candidate, differences }: Report['figures']): readonly Row[] => [
  {
    name: say('conversations'),
    base: String(base.conversations),
    candidate: String(candidate.conversations),
    difference: null,
  },
  ...MEASURES.map(measure => ({
    name: say(measure),
    base: shown(base[measure]),
    candidate: shown(candidate[measure]),
    difference: differences[measure],
  })),
  {
    name: say('latency'),
    base: milliseconds(base.latency),
    candidate: milliseconds(candidate.latency),
    difference: null,
  },
]

/** Returns percent without a person for each day; null for a day without a conversation. */
const perDay = (days: Report['figures']['days'], side: 'base' | 'candidate') =>
  days.map(day => {
    const { contained, conversations } = day[side]
    return conversations === 0 ? null : Math.round((100 * contained) / conversations)
  })

/** Compares the two sides of a rollout: a table with intervals, and a line a side over the days. */
export function RolloutFigures({ report }: { readonly report: Report }) {
  const { base, candidate, figures, isWhole } = report
  const names = {
    base: say('side.base', { version: base.artifactVersion }),
    candidate: say('side.candidate', { version: candidate.artifactVersion }),
  }
  return (
    <>
      <h2>{say('figures')}</h2>
      <Table
        caption={say('figures')}
        rows={rowsOf(figures)}
        keyOf={({ name }) => name}
        columns={[
          { title: say('measure'), cell: ({ name }) => name },
          { title: names.base, cell: row => row.base, isNumber: true },
          { title: names.candidate, cell: row => row.candidate, isNumber: true },
          {
            title: say('difference'),
            cell: row => row.difference !== null && differing(row.difference),
            isNumber: true,
          },
          {
            title: say('verdict'),
            cell: row =>
              row.difference !== null && (
                <Badge tone={TONES[row.difference.verdict]}>{say(`verdict.${row.difference.verdict}`)}</Badge>
              ),
          },
        ]}
      />
      <p class="quiet small">
        {say('verdict.hint')} {!isWhole && say('figures.part')}
      </p>
      {figures.days.length > 1 && (
        <>
          <h2>{say('plot.title')}</h2>
          <ul class="legend small">
            {(['base', 'candidate'] as const).map((side, at) => (
              <li key={side}>
                <span class={`swatch plot-${at + 1}`} />
                {names[side]}
              </li>
            ))}
          </ul>
          <Plot
            label={say('plot')}
            isByDay
            peaks={{
              times: figures.days.map(({ day }) => Date.parse(day) / 1_000),
              series: (['base', 'candidate'] as const).map(side => ({
                ...{ id: side, name: side, peaks: perDay(figures.days, side) },
              })),
            }}
            nameOf={name => (name === 'base' ? names.base : names.candidate)}
          />
        </>
      )}
    </>
  )
}
