import { useState } from 'preact/hooks'
import { accountId, api, askConsole } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useResource } from '../../data/resource.ts'
import { useWritten } from '../../data/written.ts'
import { environmentOf } from '../../environments.ts'
import { linesOf } from '../../lines.ts'
import { go, href, route, setQuery } from '../../router.ts'
import { may } from '../../session.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { EnvironmentSelect } from '../../ui/environment-select.tsx'
import { Failure } from '../../ui/failure.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { Empty, Pending } from '../../ui/parts.tsx'
import { ReleaseField } from '../../ui/release.tsx'
import { BranchFields, useBranchChoice } from './branch-choice.tsx'
import { say } from './unanswered-texts.ts'

/** Questions about the same, as the server groups them. */
interface Group {
  readonly count: number
  readonly examples: readonly { readonly text: string; readonly conversationId: string }[]
}

interface Unanswered {
  readonly conversations: number
  readonly questions: number
  readonly byMeaning: boolean
  readonly groups: readonly Group[]
}

/** Longest name that is suggested for a topic and its branch, characters. */
const NAME = 60

interface WriteProps {
  readonly agentId: string
  readonly group: Group
  readonly onClose: () => void
}

/** Opens a topic on a branch that answers a group of questions. */
function WriteTopic({ agentId, group: { examples }, onClose }: WriteProps) {
  const suggested = (examples[0]?.text ?? '').slice(0, NAME).trim()
  const queriesOf = examples.map(({ text }) => linesOf(text).join(' ')).join('\n')
  const written = useWritten(`${agentId} topic for ${suggested}`, {
    ...{ name: suggested, content: '', queries: queriesOf },
  })
  const { name, content, queries } = written.value
  const choice = useBranchChoice(agentId, suggested)
  const create = useAction(async () => {
    const { branchId } = await choice.provide()
    const body = { name, content, exampleQueries: { queries: linesOf(queries) } }
    const { id } = await api.createTopic({ agentId, branchId, body })
    written.sent()
    go(['agents', agentId, 'branches', branchId, 'topics'], { topic: id })
  })
  return (
    <FormDialog
      title={say('write')}
      action={sayCommon('create')}
      onClose={onClose}
      onSend={() => void create.start()}
      pending={create.pending}
      error={create.error}
      isIncomplete={!choice.isKnown || [name, content].some(one => one.trim() === '')}
    >
      <TextField
        label={sayCommon('name')}
        value={name}
        onChange={text => written.change({ name: text })}
        required
      />
      <TextArea label={say('content')} value={content} onChange={text => written.change({ content: text })} />
      <TextArea
        label={say('queries')}
        value={queries}
        onChange={text => written.change({ queries: text })}
        rows={3}
      />
      <BranchFields choice={choice} />
    </FormDialog>
  )
}

interface GroupProps {
  readonly agentId: string
  readonly group: Group
  readonly onWrite: () => void
}

function GroupOf({ agentId, group: { count, examples }, onWrite }: GroupProps) {
  return (
    <article class="change">
      <header class="actions apart">
        <h2>{count === 1 ? say('once') : say('asked', { count })}</h2>
        {may('author') && (
          <Button icon="edit" onClick={onWrite} label={`${say('write')}: ${examples[0]?.text ?? ''}`}>
            {say('write')}
          </Button>
        )}
      </header>
      <ul class="turns">
        {examples.map(({ conversationId, text }) => (
          <li class="turn" key={text}>
            <a class="bubble" href={href(['conversations', agentId, conversationId])}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </article>
  )
}

/** Shows what visitors asked and the agent did not answer, the most frequent first (CO24). */
export function UnansweredQuestions({ agentId }: { readonly agentId: string }) {
  const environment = environmentOf(route.value.query.environment, 'live')
  const version = route.value.query.version?.trim()
  const { value, error, reload } = useResource(
    async signal => {
      const query = new URLSearchParams({
        client_env: environment,
        ...(version && { deployment_id: version }),
      })
      const path = `/console/v1/${encodeURIComponent(accountId.value)}/${encodeURIComponent(agentId)}/unanswered?${query}`
      return (await askConsole(path, signal)) as Unanswered
    },
    [agentId, environment, version],
  )
  const [written, setWritten] = useState<Group | null>(null)
  return (
    <section class="stack narrow">
      <search class="filters">
        <EnvironmentSelect
          value={environment}
          onChange={chosen => setQuery({ environment: chosen === 'live' ? undefined : chosen })}
        />
        <ReleaseField
          agentId={agentId}
          id={version ?? ''}
          onChange={id => setQuery({ version: id || undefined })}
        />
      </search>
      <Failure error={error} again={reload} />
      {value === undefined && error === null && <Pending />}
      {value?.groups.length === 0 && (
        <Empty icon="conversations" title={say('none')}>
          <p>{say('none.why')}</p>
        </Empty>
      )}
      {value !== undefined && value.groups.length > 0 && (
        <p class="quiet">
          {say('read', { questions: value.questions, conversations: value.conversations })}.{' '}
          {say(value.byMeaning ? 'meaning' : 'words')}
        </p>
      )}
      {value?.groups.map(group => (
        <GroupOf
          key={group.examples[0]?.text ?? ''}
          agentId={agentId}
          group={group}
          onWrite={() => setWritten(group)}
        />
      ))}
      {written !== null && <WriteTopic agentId={agentId} group={written} onClose={() => setWritten(null)} />}
    </section>
  )
}
