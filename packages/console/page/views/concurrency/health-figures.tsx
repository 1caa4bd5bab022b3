import { askConsole } from '../../api.ts'
import { useResource } from '../../data/resource.ts'
import type { Environment } from '../../environments.ts'
import { locale } from '../../texts/language.ts'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Empty, Pending } from '../../ui/parts.tsx'
import { TalkLink } from '../../ui/talk-link.tsx'
import { callsOf, type Health, type NamedCount, sumOf } from './health.ts'
import type { Range } from './series.ts'
import { say } from './texts.ts'

/** The server reads no more: a random sample of this size has the same distribution. */
const SAMPLE = 500

const time = (milliseconds: number): string =>
  new Intl.NumberFormat(locale(), { style: 'unit', unit: 'millisecond', maximumFractionDigits: 0 }).format(
    milliseconds,
  )

const share = (part: number, whole: number): string =>
  new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 1 }).format(
    whole === 0 ? 0 : part / whole,
  )

const Counts = ({ of }: { readonly of: readonly NamedCount[] }) => (
  <>
    {of.map(({ name, count }) => (
      <p class="quiet small" key={name}>
        {name}: {count}
      </p>
    ))}
  </>
)

const VERDICTS = {
  'incoming:change': 'guarded.message.change',
  'incoming:refuse': 'guarded.message.refuse',
  'incoming:hand_over': 'guarded.message.hand-over',
  'outgoing:change': 'guarded.reply.change',
  'outgoing:refuse': 'guarded.reply.refuse',
  'outgoing:hand_over': 'guarded.reply.hand-over',
} as const

const isVerdict = (name: string): name is keyof typeof VERDICTS => Object.hasOwn(VERDICTS, name)

const verdictOf = (name: string): string => (isVerdict(name) ? say(VERDICTS[name]) : name)

function Figures({ health }: { readonly health: Health }) {
  const { conversations, turns, latency, handoffs, destinations, unknown, functions } = health
  const { guarded, redacted } = health
  const { calls, errors } = callsOf(functions)
  return (
    <>
      <p class="quiet">
        {say(conversations < SAMPLE ? 'health.all' : 'health.sample', { count: conversations })}
      </p>
      <Facts isSheet>
        <Fact name={say('health.turns')}>{turns}</Fact>
        {latency !== null && (
          <>
            <Fact name={say('health.median')}>{time(latency.median)}</Fact>
            <Fact name={say('health.p95')}>{time(latency.p95)}</Fact>
            <Fact name={say('health.longest')}>{time(latency.longest)}</Fact>
          </>
        )}
        <Fact name={say('health.unknown')}>
          {unknown} ({share(unknown, turns)})
        </Fact>
        <Fact name={say('health.handoffs')}>
          {handoffs} ({share(handoffs, conversations)})
          <Counts of={destinations} />
        </Fact>
        {redacted.length > 0 && (
          <Fact name={say('health.redacted')}>
            {sumOf(redacted)}
            <Counts of={redacted} />
          </Fact>
        )}
        {guarded.length > 0 && (
          <Fact name={say('health.guarded')}>
            {sumOf(guarded)}
            <Counts of={guarded.map(one => ({ ...one, name: verdictOf(one.name) }))} />
          </Fact>
        )}
        <Fact name={say('health.functions')}>
          {calls === 0 ? say('health.functions.none') : `${errors} (${share(errors, calls)})`}
          {functions
            .filter(one => one.errors > 0)
            .map(one => (
              <p class="quiet small" key={one.name}>
                {say('health.function', { ...one })}
              </p>
            ))}
        </Fact>
      </Facts>
    </>
  )
}

interface HealthFiguresProps {
  readonly accountId: string
  readonly agentId: string
  /** `""` for all. */
  readonly deploymentId: string
  readonly environment: Environment
  readonly range: Range
}

/** Shows the agent's figures: latency, unanswered questions, handoffs. */
export function HealthFigures({ accountId, agentId, deploymentId, environment, range }: HealthFiguresProps) {
  const { value, error, reload } = useResource(
    async signal => {
      const query = new URLSearchParams({
        client_env: environment,
        start_time: new Date(range.start).toISOString(),
        end_time: new Date(range.end).toISOString(),
        ...(deploymentId && { deployment_id: deploymentId }),
      })
      const path = `/console/v1/${encodeURIComponent(accountId)}/${encodeURIComponent(agentId)}/health?${query}`
      return (await askConsole(path, signal)) as Health
    },
    [accountId, agentId, deploymentId, environment, range.start, range.end],
  )
  return (
    <section class="stack" aria-labelledby="health">
      <h2 id="health">{say('health')}</h2>
      {value === undefined && (error === null ? <Pending /> : <Failure error={error} again={reload} />)}
      {value?.conversations === 0 && (
        <Empty icon="conversations" title={say('health.none')}>
          <TalkLink agentId={agentId} />
        </Empty>
      )}
      {value !== undefined && value.conversations > 0 && <Figures health={value} />}
    </section>
  )
}
