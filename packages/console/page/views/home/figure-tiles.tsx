import { askConsole } from '../../api.ts'
import { type Metrics, shownOf } from '../../data/rating.ts'
import { useResource } from '../../data/resource.ts'
import { localOf } from '../../moments.ts'
import { href } from '../../router.ts'
import { locale } from '../../texts/language.ts'
import { Failure } from '../../ui/failure.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Empty, Pending } from '../../ui/parts.tsx'
import { TalkLink } from '../../ui/talk-link.tsx'
import type { Health } from '../concurrency/health.ts'
import type { Choice } from '../conversations/conditions.ts'
import { type Day, type Span, spansOf } from './days.ts'
import { type Figure, type FigureName, figuresOf, SAMPLE, type Sums } from './figures.ts'
import { say } from './texts.ts'

/** Newest conversations of a range whose ratings are read: a page of the list. */
const RATED = 200

const ICONS = {
  ...{ conversations: 'conversations', contained: 'agents', handoffs: 'transfer' },
  ...{ rating: 'star', unanswered: 'unknown' },
} as const satisfies Record<FigureName, IconName>

/** Filters to which the lists of the figures are narrowed. */
const SHOWN = {
  ...{ conversations: {}, contained: { handoff: 'no' }, handoffs: { handoff: 'yes' } },
  ...{ rating: { rating: 'any' }, unanswered: { answered: 'no' } },
} as const satisfies Record<FigureName, { readonly [Name in Choice]?: string }>

const formatted = (value: number, options: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat(locale(), options).format(value)

const FORMATS = {
  count: { maximumFractionDigits: 0 },
  share: { style: 'percent', maximumFractionDigits: 1 },
  score: { minimumFractionDigits: 1, maximumFractionDigits: 1 },
} as const

const CHANGES = {
  count: { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' },
  share: { maximumFractionDigits: 1, signDisplay: 'exceptZero' },
  score: { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: 'exceptZero' },
} as const

function Change({ figure: { change, unit, tone } }: { readonly figure: Figure }) {
  if (change === null) return null
  if (change === 0) return <span class="change-of plain">{say('same')}</span>
  return (
    <span class={`change-of ${tone}`}>
      <Icon name={change > 0 ? 'promote' : 'fall'} />
      {unit === 'share'
        ? say('points', { value: formatted(change * 100, CHANGES.share) })
        : formatted(change, CHANGES[unit])}
    </span>
  )
}

function beforeOf({ before, unit }: Figure): string {
  if (before === null) return say('before.none')
  const value = formatted(before, unit === 'count' ? { maximumFractionDigits: 1 } : FORMATS[unit])
  return say(unit === 'count' ? 'before.count' : 'before.other', { value })
}

interface TileProps {
  readonly figure: Figure
  readonly agentId: string
  readonly span: Span
}

function Tile({ figure, agentId, span }: TileProps) {
  const { name, value, unit, isLeast } = figure
  const at = (time: number): string => localOf(new Date(time).toISOString())
  const text = value === null ? '–' : formatted(value, FORMATS[unit])
  return (
    <a
      class="tile"
      href={href(['conversations', agentId], { from: at(span.start), to: at(span.end), ...SHOWN[name] })}
    >
      <span class="tile-name">
        <Icon name={ICONS[name]} />
        {say(name)}
      </span>
      <span class="figure">{isLeast ? say('more', { count: text }) : text}</span>
      <span class="small compared">
        <Change figure={figure} />
        <span class="quiet">{beforeOf(figure)}</span>
      </span>
    </a>
  )
}

async function sumsOf(accountId: string, agentId: string, span: Span, signal: AbortSignal): Promise<Sums> {
  const query = new URLSearchParams({
    client_env: 'live',
    start_time: new Date(span.start).toISOString(),
    end_time: new Date(span.end).toISOString(),
  })
  const path = `/console/v1/${encodeURIComponent(accountId)}/${encodeURIComponent(agentId)}`
  const [health, page] = (await Promise.all([
    askConsole(`${path}/health?${query}`, signal),
    askConsole(`${path}/conversations?${query}&limit=${RATED}`, signal),
  ])) as [Health, { readonly conversations: readonly { readonly metrics: Metrics }[] }]
  const ratings = page.conversations.flatMap(({ metrics }) => {
    const { score } = shownOf(metrics)
    return score === null ? [] : [Number(score)]
  })
  const { conversations, turns, unknown, handoffs } = health
  return { conversations, turns, unknown, handoffs, ratings }
}

interface FigureTilesProps {
  readonly accountId: string
  readonly agentId: string
  readonly day: Day
}

/** Shows the figures of a day beside the week before. Each leads to the conversations that it is of. */
export function FigureTiles({ accountId, agentId, day }: FigureTilesProps) {
  const { value, error, reload } = useResource(
    async signal => {
      const spans = spansOf(day, Date.now())
      const [sums, before] = await Promise.all(
        [spans.day, spans.before].map(span => sumsOf(accountId, agentId, span, signal)),
      )
      if (sums === undefined || before === undefined) throw new Error('Two ranges have two sums.')
      return { span: spans.day, sums, before }
    },
    [accountId, agentId, day],
  )
  if (value === undefined) return error === null ? <Pending /> : <Failure error={error} again={reload} />
  const { span, sums, before } = value
  if (sums.conversations === 0)
    return (
      <Empty icon="conversations" title={say(`none.${day}`)}>
        <p>{say('figures.none')}</p>
        <TalkLink agentId={agentId} />
      </Empty>
    )
  return (
    <>
      <div class="tiles">
        {figuresOf(sums, before).map(figure => (
          <Tile key={figure.name} figure={figure} agentId={agentId} span={span} />
        ))}
      </div>
      {(sums.conversations >= SAMPLE || before.conversations >= SAMPLE) && (
        <p class="quiet small">{say('sample', { count: RATED })}</p>
      )}
    </>
  )
}
