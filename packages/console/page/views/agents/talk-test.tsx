import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { accountId, api, askConsole } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useResource } from '../../data/resource.ts'
import { useWritten } from '../../data/written.ts'
import { linesOf } from '../../lines.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { BranchFields, useBranchChoice } from './branch-choice.tsx'
import { ExpectationFields } from './expectation-fields.tsx'
import { type Expected, expectationsOf, NOTHING_EXPECTED } from './expectations.ts'
import { say } from './texts.ts'

/** Branch in which a test case was made. */
export interface CaseMade {
  readonly branchId: string
  readonly branchName: string
}

/** A message of the visitor, with what the agent replied. */
interface Asked {
  readonly user_input: string
  readonly agent_response: string
}

/** Turns of a conversation that are shown at most. */
const MOST = 100
/** Longest name that is suggested, characters. */
const NAME = 60

type Expectations = ReturnType<typeof expectationsOf>

const isSomething = (expectations: object): boolean => Object.keys(expectations).length > 0

type ByMessage = Readonly<Record<string, Expected>>

const expectedIn = (given: ByMessage) =>
  Object.entries(given)
    .map(([message, given]) => ({ message: Number(message), expectations: expectationsOf(given) }))
    .filter(({ expectations }) => isSomething(expectations))

/** Returns the visitor who talks back of a whole talk. The goal is reached with what the answers must have. */
function visitorIn(goal: string, { contains, notContains: never, ...others }: Expectations) {
  const reached = contains && { goal: 'reached' as const }
  return {
    goal,
    ...(contains && { wants: contains }),
    expectations: { ...others, ...reached, ...(never && { never }) },
  }
}

interface MessageProps {
  readonly opens: boolean
  readonly title: string
  readonly children: ComponentChildren
}

/** Shows a message, with fields that are there once they are wanted. */
function Message({ opens, title, children }: MessageProps) {
  const [isOpen, setOpen] = useState(opens)
  return (
    <details open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  )
}

/** A conversation, with the messages of its visitor. */
export interface Talk {
  readonly id: string
  readonly turns: readonly Asked[]
  /** The turn that it is about, which is the last one. @default the conversation */
  readonly at?: number
}

interface FormProps {
  readonly agentId: string
  readonly talk: Talk
  /** The branch that is offered first. @default the one changed last */
  readonly branchId?: string | undefined
  readonly onClose: () => void
  readonly onMade: (made: CaseMade) => void
}

/** Asks what should have happened, and makes a test case. What the agent replied is shown and never expected (TE89). */
function TalkForm({ agentId, talk, branchId: first, onClose, onMade }: FormProps) {
  const { id: conversationId, turns, at: last = MOST } = talk
  const asked = turns.slice(0, last + 1).filter(turn => turn.user_input !== '')
  const opening = asked[0]?.user_input ?? ''
  const about = linesOf(turns[last]?.user_input ?? opening)
  const suggested = about.join(' ').slice(0, NAME).trim()
  const choice = useBranchChoice(agentId, suggested, first)
  const topics = useResource(
    signal => api.listTopics({ agentId, branchId: choice.branchId || 'main' }, { signal }),
    [agentId, choice.branchId],
  )
  const names = (topics.value ?? []).map(({ name }) => name)
  const written = useWritten(`${agentId} test of ${asked.map(turn => turn.user_input)}`, {
    ...{ ...NOTHING_EXPECTED, name: suggested, kind: '', messages: '{}' },
    ...{ goal: opening },
  })
  const { name, kind, messages, goal, ...whole } = written.value
  const given: ByMessage = JSON.parse(messages)
  const expected = expectedIn(given)
  const ofWhole = expectationsOf(whole)
  const isAsked = kind === '' ? expected.length > 0 : isSomething(ofWhole)
  const make = useAction(async () => {
    const { branchId, branchName } = await choice.provide()
    const should = kind === '' ? { expected } : { visitor: visitorIn(goal, ofWhole) }
    await api.createTestCaseFromConversation({ agentId, branchId, body: { conversationId, name, ...should } })
    written.sent()
    onMade({ branchId, branchName })
  })
  const fieldsAfter = (one: Asked, number: number) => (
    <div class="stack tight">
      <p class="quiet small">{say('talk.replied', { reply: one.agent_response })}</p>
      <ExpectationFields
        value={given[number] ?? NOTHING_EXPECTED}
        onChange={more => {
          const next = { ...NOTHING_EXPECTED, ...given[number], ...more }
          written.change({ messages: JSON.stringify({ ...given, [number]: next }) })
        }}
        topics={names}
      />
    </div>
  )
  const only = talk.at === undefined ? undefined : asked.at(-1)
  return (
    <FormDialog
      title={say('talk.test')}
      action={say('turn.keep')}
      onClose={onClose}
      onSend={() => void make.start()}
      pending={make.pending}
      error={topics.error ?? make.error}
      isIncomplete={!choice.isKnown || !isAsked}
    >
      <p>{say('talk.should')}</p>
      {only ? (
        <>
          <p class="bubble own">{only.user_input}</p>
          {fieldsAfter(only, asked.length)}
        </>
      ) : (
        <>
          <TextField
            label={sayCommon('name')}
            value={name}
            onChange={text => written.change({ name: text })}
            required
          />
          <Select
            label={say('visitor.kind')}
            value={kind}
            onChange={value => written.change({ kind: value })}
            options={[
              ['', say('visitor.turns')],
              ['whole', say('visitor')],
            ]}
          />
          {kind === '' ? (
            asked.map((one, at) => (
              <Message key={at} opens={given[at + 1] !== undefined} title={`${at + 1}. ${one.user_input}`}>
                {fieldsAfter(one, at + 1)}
              </Message>
            ))
          ) : (
            <>
              <TextField
                label={say('visitor.goal')}
                hint={say('visitor.goal.hint')}
                value={goal}
                onChange={text => written.change({ goal: text })}
                required
              />
              <ExpectationFields value={whole} onChange={written.change} topics={names} />
            </>
          )}
        </>
      )}
      <BranchFields choice={choice} />
    </FormDialog>
  )
}

interface NewestPage {
  readonly conversations: readonly { readonly id: string; readonly first_words: string }[]
}

interface ChooseProps {
  readonly agentId: string
  readonly onChoose: (talk: Talk) => void
  readonly onClose: () => void
}

/** Asks for one of the newest conversations. */
function ChooseTalk({ agentId, onChoose, onClose }: ChooseProps) {
  const newest = useResource(
    async signal => {
      const path = [accountId.value, agentId, 'conversations'].map(encodeURIComponent).join('/')
      return (await askConsole(`/console/v1/${path}`, signal)) as NewestPage
    },
    [agentId],
  )
  const all = newest.value?.conversations ?? []
  const [id, setId] = useState<string>()
  const chosen = id ?? all[0]?.id ?? ''
  const read = useAction(async () => {
    const ids = { account_id: accountId.value, project_id: agentId, conversation_id: chosen }
    onChoose({ id: chosen, turns: (await api.readConversation(ids)).turns })
  })
  return (
    <FormDialog
      title={say('talk.test')}
      action={say('talk.test')}
      onClose={onClose}
      onSend={() => void read.start()}
      pending={read.pending}
      error={newest.error ?? read.error}
      isIncomplete={chosen === ''}
    >
      <Select
        label={say('talk.from')}
        value={chosen}
        onChange={setId}
        options={all.map(one => [one.id, one.first_words || one.id] as const)}
      />
    </FormDialog>
  )
}

interface TalkTestProps extends Omit<FormProps, 'talk'> {
  /** @default one of the newest is chosen first */
  readonly talk?: Talk
}

/** From a conversation to a test case of what should have happened in it. */
export function TalkTest({ talk: given, ...rest }: TalkTestProps) {
  const [talk, choose] = useState(given)
  if (talk === undefined)
    return <ChooseTalk agentId={rest.agentId} onChoose={choose} onClose={rest.onClose} />
  return <TalkForm {...rest} talk={talk} />
}
