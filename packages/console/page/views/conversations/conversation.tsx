import { useState } from 'preact/hooks'
import { api, askConsole } from '../../api.ts'
import { useResource } from '../../data/resource.ts'
import { go, href } from '../../router.ts'
import { account, may } from '../../session.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { say as sayEnvironment } from '../../texts/environments.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Page } from '../../ui/page.tsx'
import { Badge, Pending, Time } from '../../ui/parts.tsx'
import { Metrics } from './metrics.tsx'
import { say } from './texts.ts'

type Record_ = Awaited<ReturnType<typeof api.readConversation>>

function About({ record }: { readonly record: Record_ }) {
  const variables = Object.entries(record.state)
  return (
    <aside aria-label={say('about')}>
      <Facts>
        <Fact name={say('started')}>
          <Time at={record.started_at} />
        </Fact>
        <Fact name={say('ended')}>
          {record.finished_at === null ? say('open') : <Time at={record.finished_at} />}
        </Fact>
        <Fact name={sayEnvironment('environment')}>{sayEnvironment(record.environment)}</Fact>
        <Fact name={say('variant')}>{record.variant_name}</Fact>
        <Fact name={say('channel')}>{record.channel}</Fact>
        <Fact name={say('language')}>{record.language}</Fact>
        {record.handoff && (
          <Fact name={say('handoff')}>
            {record.handoff_destination} {record.handoff_reason}
          </Fact>
        )}
        <Fact name={say('deployment')}>
          <code>{record.deployment_id}</code>
        </Fact>
        <Fact name={say('id')}>
          <code>{record.id}</code>
        </Fact>
        <Metrics metrics={record.metrics} />
        {variables.length > 0 && (
          <Fact name={say('variables')}>
            {variables.map(([name, value]) => (
              <p key={name}>
                <code>
                  {name} = {JSON.stringify(value)}
                </code>
              </p>
            ))}
          </Fact>
        )}
      </Facts>
    </aside>
  )
}

function Transcript({ record }: { readonly record: Record_ }) {
  return (
    <ol class="turns" aria-label={say('transcript')}>
      {record.turns.map((turn, at) => (
        <li class="turn" key={at}>
          {turn.user_input !== '' && (
            <p class="bubble own">
              <span class="unseen">{say('you.visitor')}: </span>
              {turn.user_input}
            </p>
          )}
          {turn.agent_response !== '' && (
            <p class="bubble">
              <span class="unseen">{say('you.agent')}: </span>
              {turn.agent_response}
            </p>
          )}
          <p class="quiet small">
            <Time at={turn.agent_response_datetime ?? turn.user_input_datetime ?? record.started_at} />
            {turn.latency > 0 && ` · ${say('latency', { milliseconds: Math.round(turn.latency * 1_000) })}`}{' '}
            {turn.intents.map(intent => (
              <Badge key={String(intent)}>{String(intent)}</Badge>
            ))}
          </p>
        </li>
      ))}
    </ol>
  )
}

/** One conversation: what was said, and what is known of it. */
export function Conversation({ agentId, id }: { readonly agentId: string; readonly id: string }) {
  const accountId = account.value?.id ?? ''
  const { value, error, reload } = useResource(
    signal =>
      api.readConversation({ account_id: accountId, project_id: agentId, conversation_id: id }, { signal }),
    [accountId, agentId, id],
  )
  const [isErasing, setErasing] = useState(false)
  return (
    <Page
      title={say('conversation')}
      trail={[[say('title'), href(['conversations', agentId])]]}
      actions={
        <>
          {value?.in_progress && <Button onClick={reload}>{sayCommon('refresh')}</Button>}
          {value !== undefined && !value.in_progress && may('operator') && (
            <Button kind="bare" onClick={() => setErasing(true)}>
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
          <Transcript record={value} />
          <About record={value} />
        </div>
      )}
      {isErasing && (
        <Confirm
          title={say('erase.title')}
          why={say('erase.why')}
          action={say('erase')}
          onClose={() => setErasing(false)}
          run={() => {
            const path = [agentId, 'conversations', id].map(encodeURIComponent).join('/')
            return askConsole(`/console/v1/agents/${path}`, new AbortController().signal, 'DELETE')
          }}
          onDone={() => go(['conversations', agentId])}
        />
      )}
    </Page>
  )
}
