import { useState } from 'preact/hooks'
import { askConsole, sendConsole } from '../../api.ts'
import { agentOptions, useAgents } from '../../data/agents.ts'
import { useResource } from '../../data/resource.ts'
import { locale } from '../../texts/language.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { Pending, Table } from '../../ui/parts.tsx'
import { say } from './texts.ts'
import { VisitorData } from './visitor-data.tsx'

/** Values that the host has set, by the names of its options. */
interface Options {
  readonly 'webhooks.retention': number
  readonly 'testRuns.kept': number
  readonly debugChatIdle: number
  readonly listDebugChats: boolean
  readonly turnRecordingRetention: number | null
  readonly tokenKeyRotation: number | null
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
  ['millisecond', 1],
] as const

/** Returns a time in the largest unit of which it is a whole number. */
function lasting(milliseconds: number): string {
  const [unit, length] =
    UNITS.find(([, size]) => milliseconds % size === 0 && milliseconds >= size) ?? UNITS[4]
  const style = { style: 'unit', unit, unitDisplay: 'long' } as const
  return new Intl.NumberFormat(locale(), style).format(milliseconds / length)
}

interface Kept {
  readonly what: string
  readonly long: string
  /** The host's option for it; null if there is none. */
  readonly option: string | null
}

const keptBy = (options: Options): readonly Kept[] => [
  { what: say('kept.conversations'), long: say('kept.until-removed'), option: null },
  {
    what: say('kept.recordings'),
    long:
      options.turnRecordingRetention === null
        ? say('kept.with-conversation')
        : lasting(options.turnRecordingRetention),
    option: 'turnRecordingRetention',
  },
  {
    what: say('kept.debug'),
    long: say(options.listDebugChats ? 'kept.debug.listed' : 'kept.debug.idle', {
      time: lasting(options.debugChatIdle),
    }),
    option: options.listDebugChats ? 'listDebugChats' : 'debugChatIdle',
  },
  {
    what: say('kept.deliveries'),
    long: lasting(options['webhooks.retention']),
    option: 'webhooks.retention',
  },
  {
    what: say('kept.runs'),
    long: say('kept.newest', { count: options['testRuns.kept'] }),
    option: 'testRuns.kept',
  },
  { what: say('kept.releases'), long: say('kept.with-agent'), option: null },
  { what: say('kept.audit'), long: say('kept.audit.purge'), option: 'platform.audit.purge' },
  {
    what: say('kept.token-keys'),
    long:
      options.tokenKeyRotation === null
        ? say('kept.by-hand')
        : say('kept.rotated', { time: lasting(options.tokenKeyRotation) }),
    option: 'tokenKeyRotation',
  },
]

/** Most days that a purge may leave. */
const MOST_DAYS = 36_500

const ALL = ''

/** Removes old conversations, once it was said how old. */
function Purge({ accountId }: { readonly accountId: string }) {
  const agents = useAgents(accountId)
  const [days, setDays] = useState('365')
  const [agentId, setAgent] = useState(ALL)
  const [isAsked, setAsked] = useState(false)
  const [removed, setRemoved] = useState<number | null>(null)
  const count = Number(days)
  const isFit = /^\d+$/.test(days.trim()) && count >= 1 && count <= MOST_DAYS
  const name = agents.value?.find(one => one.agentId === agentId)?.agentName ?? say('key.agent.all')
  return (
    <section class="stack narrow" aria-labelledby="purge">
      <h2 id="purge">{say('purge')}</h2>
      <p class="quiet">{say('purge.why')}</p>
      <div class="filters">
        <TextField
          label={say('purge.days')}
          value={days}
          onChange={setDays}
          fault={isFit ? null : say('purge.days.fault', { most: MOST_DAYS })}
        />
        <Select
          label={say('agent')}
          value={agentId}
          onChange={setAgent}
          options={[[ALL, say('key.agent.all')], ...agentOptions(agents.value ?? [])]}
        />
        <Button icon="delete" kind="danger" disabled={!isFit} onClick={() => setAsked(true)}>
          {say('purge.do')}
        </Button>
      </div>
      {removed !== null && (
        <p class="note" role="status">
          {say('purge.done', { count: removed })}
        </p>
      )}
      {isAsked && (
        <Confirm
          title={say('purge.title', { days: count })}
          why={say('purge.confirm', { agent: name })}
          action={say('purge.do')}
          onClose={() => setAsked(false)}
          run={async () => {
            const body = { days: count, ...(agentId === ALL ? {} : { agent_id: agentId }) }
            const answer = await sendConsole('/console/v1/conversations/purge', body)
            setRemoved(Number(Reflect.get(Object(answer), 'conversations')))
          }}
          onDone={() => setAsked(false)}
        />
      )}
    </section>
  )
}

/** Shows the retention periods and their sources, and removes old conversations. */
export function Retention({ accountId }: { readonly accountId: string }) {
  const { value, error, reload } = useResource(
    async signal => {
      const answer = await askConsole('/console/v1/retention', signal)
      return Reflect.get(Object(answer), 'options') as Options
    },
    [accountId],
  )
  if (value === undefined) return error === null ? <Pending /> : <Failure error={error} again={reload} />
  return (
    <div class="stack">
      <p class="quiet">{say('retention.why')}</p>
      <Table
        caption={say('retention')}
        rows={keptBy(value)}
        keyOf={({ what }) => what}
        columns={[
          { title: say('kept.what'), cell: ({ what }) => what },
          { title: say('kept.long'), cell: ({ long }) => long },
          {
            title: say('kept.option'),
            cell: ({ option }) =>
              option === null ? <span class="quiet">{say('kept.none')}</span> : <code>{option}</code>,
          },
        ]}
      />
      <Purge accountId={accountId} />
      <VisitorData accountId={accountId} />
    </div>
  )
}
