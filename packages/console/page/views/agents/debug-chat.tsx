import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useResource } from '../../data/resource.ts'
import { useWritten } from '../../data/written.ts'
import type { Environment } from '../../environments.ts'
import { me } from '../../session.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { AgentAvatar, Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { EnvironmentSelect } from '../../ui/environment-select.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { Empty, Pending } from '../../ui/parts.tsx'
import { Said } from '../../ui/said.tsx'
import { TurnWork } from '../../ui/turn-work.tsx'
import { say } from './texts.ts'
import { TurnActs } from './turn-acts.tsx'

type Answer = Awaited<ReturnType<typeof api.continueDebugChat>>

/** A turn of the chat, and its response time as seen from here, milliseconds. */
interface Turn {
  readonly answer: Answer
  readonly took: number
}

/** Time limit of one wait for a late answer, seconds. */
const WAIT = 20

interface TurnProps {
  readonly turn: Turn
  /** Whether it is the last one: what the agent did is open then. */
  readonly isNewest: boolean
  /** Actions on it. */
  readonly children: ComponentChildren
}

function TurnOf({ turn: { answer, took }, isNewest, children }: TurnProps) {
  const { metadata, userInput, response, delayedResponses } = answer
  const { id = '', name = '' } = me.value?.person ?? {}
  return (
    <li class="turn">
      {userInput !== '' && (
        <Said
          kind="visitor"
          avatar={<Avatar id={id} name={name} />}
          who={say('chat.you')}
          texts={[userInput]}
        />
      )}
      <Said
        kind="agent"
        avatar={<AgentAvatar />}
        who={say('chat.agent')}
        texts={[response, ...delayedResponses.map(late => late.response)]}
      >
        <TurnWork
          topics={metadata.retrievedTopics}
          cited={metadata.citedTopic}
          functions={metadata.functionEvents}
          variables={metadata.state}
          took={Math.round(took)}
          destination={metadata.handoffDestination}
          isOpen={isNewest}
        />
        {children}
      </Said>
    </li>
  )
}

interface DebugChatProps {
  readonly agentId: string
  /** The branch that talks, where that is fixed. @default what is chosen: a branch, or what is released */
  readonly branchId?: string
}

/** Chats by what talks in them: who goes to a topic and changes it comes back to the same chat. */
const chats = new Map<string, readonly Turn[]>()

const DEPLOYED = ''

/** Shows a conversation with the agent as it is in an environment or on a branch, with what it did at each turn. */
export function DebugChat({ agentId, branchId }: DebugChatProps) {
  const [clientEnv, setEnvironment] = useState<Environment>('sandbox')
  const branches = useResource(
    async signal => (await api.listBranches({ agentId }, { signal })).branches,
    [agentId],
  )
  const [chosen, setChosen] = useState(DEPLOYED)
  const runs = branchId ?? chosen
  const key = `${agentId} ${clientEnv} ${runs}`
  const [, draw] = useState(0)
  const turns = chats.get(key) ?? []
  const setTurns = (next: readonly Turn[]): void => {
    chats.set(key, next)
    draw(times => times + 1)
  }
  const written = useWritten(`${key} debug`, { message: '' })
  const { message } = written.value
  const said = turns.map(({ answer: { userInput, response, metadata } }) => ({
    agent_response: response,
    user_input: userInput,
    cited_topic: metadata.citedTopic,
    retrieved_topics: metadata.retrievedTopics,
  }))
  const end = useRef<HTMLDivElement>(null)
  const last = turns.at(-1)?.answer

  async function timed(ask: () => Promise<Answer>, before: readonly Turn[]): Promise<void> {
    const began = performance.now()
    let answer = await ask()
    while (answer.delayedResponse && answer.response === '')
      answer = await api.readDebugChat(
        { agentId, conversationId: answer.conversationId, clientEnv, wait: WAIT },
        { timeout: (WAIT + 10) * 1_000 },
      )
    setTurns([...before, { answer, took: performance.now() - began }])
  }

  const start = useAction(() => {
    const body = { clientEnv, ...(runs === DEPLOYED ? {} : { branchId: runs }) }
    return timed(() => api.startDebugChat({ agentId, body }), [])
  })
  const send = useAction(async () => {
    const conversationId = last?.conversationId ?? ''
    await timed(() => api.continueDebugChat({ agentId, conversationId, body: { clientEnv, message } }), turns)
    written.sent()
  })
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [turns.length])

  return (
    <section class="stack narrow">
      <div class="filters">
        <EnvironmentSelect value={clientEnv} onChange={setEnvironment} />
        {branchId === undefined && (
          <Select
            label={say('chat.runs')}
            value={chosen}
            onChange={setChosen}
            options={[
              [DEPLOYED, say('chat.deployed')],
              ...(branches.value ?? []).map(
                ({ branchId: id, branchName }) => [id, say('chat.branch', { name: branchName })] as const,
              ),
            ]}
          />
        )}
        <Button
          icon="play"
          kind={last === undefined ? 'main' : 'plain'}
          onClick={() => void start.start()}
          disabled={start.pending}
        >
          {say('chat.start')}
        </Button>
      </div>
      <Failure error={start.error ?? send.error} />
      {last === undefined ? (
        <Empty icon="conversations" title={say('chat.none')}>
          <p>{say(runs === DEPLOYED ? 'chat.none.why' : 'chat.branch.why')}</p>
        </Empty>
      ) : (
        <div role="log" aria-label={say('chat.log')}>
          <ol class="turns timeline">
            {turns.map((turn, at) => (
              <TurnOf key={at} turn={turn} isNewest={at === turns.length - 1}>
                <TurnActs agentId={agentId} id={last.conversationId} turns={said} at={at} branchId={runs} />
              </TurnOf>
            ))}
          </ol>
          <div ref={end} />
        </div>
      )}
      {(start.pending || send.pending) && <Pending text={sayCommon('working')} />}
      {last?.conversationEnded && <p class="note">{say('chat.ended')}</p>}
      {last !== undefined && !last.conversationEnded && (
        <form
          class="say"
          onSubmit={event => {
            event.preventDefault()
            if (message.trim() !== '') void send.start()
          }}
        >
          <TextField
            label={say('chat.say')}
            value={message}
            onChange={text => written.change({ message: text })}
          />
          <Button icon="send" kind="main" type="submit" disabled={send.pending || message.trim() === ''}>
            {say('chat.send')}
          </Button>
        </form>
      )}
    </section>
  )
}
