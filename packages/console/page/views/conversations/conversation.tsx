import { useState } from 'preact/hooks'
import { askConsole, sendConsole } from '../../api.ts'
import { digits } from '../../moments.ts'
import { go, href } from '../../router.ts'
import { account, may } from '../../session.ts'
import { say as sayEnvironment } from '../../texts/environments.ts'
import { visitorName } from '../../texts/visitors.ts'
import { VisitorAvatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { EnvironmentName } from '../../ui/environment.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Notes } from '../../ui/notes.tsx'
import { Page } from '../../ui/page.tsx'
import { Badge, Pending, Time } from '../../ui/parts.tsx'
import { ReleaseName } from '../../ui/release.tsx'
import { TalkActs, TurnActs } from '../agents/turn-acts.tsx'
import { Metrics } from './metrics.tsx'
import { Player, type Wanted } from './player.tsx'
import { placeOf } from './recording.ts'
import { say } from './texts.ts'
import { type Record_, useTranscript } from './transcript.ts'
import { type Listen, TranscriptLines } from './transcript-lines.tsx'

function About({ record }: { readonly record: Record_ }) {
  const variables = Object.entries(record.state)
  return (
    <aside class="card" aria-label={say('about')}>
      <Facts>
        <Fact name={say('started')}>
          <Time at={record.started_at} />
        </Fact>
        <Fact name={say('ended')}>
          {record.finished_at === null ? say('open') : <Time at={record.finished_at} />}
        </Fact>
        <Fact name={sayEnvironment('environment')}>
          <EnvironmentName of={record.environment} />
        </Fact>
        <Fact name={say('variant')}>{record.variant_name}</Fact>
        <Fact name={say('channel')}>{record.channel}</Fact>
        <Fact name={say('language')}>{record.language}</Fact>
        {record.handoff && (
          <Fact name={say('handoff')}>
            {[record.handoff_destination, record.handoff_reason].filter(text => text !== '').join(' · ')}
          </Fact>
        )}
        <Fact name={sayEnvironment('deployment')}>
          <ReleaseName agentId={record.project_id} id={record.deployment_id} />
        </Fact>
        <Fact name={say('id')}>
          <code>{record.id}</code>
        </Fact>
        <Metrics metrics={record.metrics} />
      </Facts>
      {may('operator') && record.visitor !== undefined && (
        <p class="small">
          <a href={href(['settings', 'retention'], { visitor: record.visitor.id })}>{say('visitor.data')}</a>
        </p>
      )}
      {variables.length > 0 && (
        <details>
          <summary class="quiet small">{say('variables.count', { count: variables.length })}</summary>
          {variables.map(([name, value]) => (
            <p key={name} class="small">
              <code>
                {name} = {JSON.stringify(value)}
              </code>
            </p>
          ))}
        </details>
      )}
    </aside>
  )
}

/** One conversation: what was said, what the agent did, and what is known of it. It is followed while it is open. */
export function Conversation({ agentId, id }: { readonly agentId: string; readonly id: string }) {
  const accountId = account.value?.id ?? ''
  const { value, error, reload, refresh } = useTranscript(accountId, agentId, id)
  const agentPath = [agentId, 'conversations', id].map(encodeURIComponent).join('/')
  const path = `/console/v1/agents/${agentPath}`
  const name = value?.record.visitor?.name
  const isRunning = value?.record.in_progress === true
  const [isErasing, setErasing] = useState(false)
  const [wanted, setWanted] = useState<Wanted | null>(null)
  const recordings = value?.recordings ?? []
  const listen: Listen = at => {
    const seconds = placeOf(recordings, at)
    if (seconds === null) return null
    return (
      <Button kind="bare" icon="play" onClick={() => setWanted({ seconds })}>
        {say('listen', { at: digits(seconds) })}
      </Button>
    )
  }
  return (
    <Page
      title={visitorName(id, name)}
      mark={<VisitorAvatar id={id} name={name} />}
      trail={[[say('title'), href(['conversations', agentId])]]}
      actions={
        <>
          {isRunning && (
            <Badge tone="good" pulses>
              {say('live')}
            </Badge>
          )}
          {value !== undefined && !isRunning && may('operator') && (
            <Button kind="bare" icon="delete" onClick={() => setErasing(true)}>
              {say('erase')}
            </Button>
          )}
        </>
      }
    >
      <Failure error={error} again={reload} />
      {value === undefined && error === null && <Pending />}
      {value !== undefined && (
        <div class="split reading">
          <TranscriptLines
            id={id}
            agentId={agentId}
            name={name}
            turns={value.turns}
            lines={value.lines}
            listen={listen}
            actsOf={at => may('author') && <TurnActs agentId={agentId} id={id} turns={value.turns} at={at} />}
          />
          <div class="stack">
            {recordings.length > 0 && (
              <Player recordings={recordings} place={`/v1/agents/${agentPath}`} wanted={wanted} />
            )}
            <About record={value.record} />
            {value.notes !== null && (
              <Notes
                place={id}
                notes={value.notes}
                write={async body => {
                  await sendConsole(`${path}/notes`, body)
                  refresh()
                }}
              />
            )}
            {may('author') && <TalkActs agentId={agentId} talk={{ id, turns: value.turns }} />}
          </div>
        </div>
      )}
      {isErasing && (
        <Confirm
          title={say('erase.title')}
          why={say('erase.why')}
          action={say('erase')}
          onClose={() => setErasing(false)}
          run={() => {
            return askConsole(path, undefined, 'DELETE')
          }}
          onDone={() => go(['conversations', agentId])}
        />
      )}
    </Page>
  )
}
