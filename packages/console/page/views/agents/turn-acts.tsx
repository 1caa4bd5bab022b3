import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { go } from '../../router.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { BranchFields, useBranchChoice } from './branch-choice.tsx'
import { RunTests } from './run-tests.tsx'
import { type CaseMade, type Talk, TalkTest } from './talk-test.tsx'
import { say } from './texts.ts'

/** A turn, as far as something can be done about it. */
interface Turn {
  readonly user_input: string
  readonly agent_response: string
  readonly cited_topic?: string
  readonly retrieved_topics?: readonly string[]
}

/** Longest name of a branch that is suggested, characters. */
const NAME = 60

interface DialogProps {
  readonly agentId: string
  /** The id of the conversation or debug chat. */
  readonly id: string
  readonly turns: readonly Turn[]
  /** The turn that it is about. */
  readonly at: number
  /** The branch that is offered first. @default the one changed last */
  readonly branchId?: string
  readonly onClose: () => void
}

const nameOf = ({ turns, at }: Pick<DialogProps, 'turns' | 'at'>): string =>
  (turns[at]?.user_input ?? '').slice(0, NAME).trim() || say('turn.change')

/** Leads to the topic of an answer, on a branch. */
function ChangeAnswer({ agentId, turns, at, branchId: first, onClose }: DialogProps) {
  const choice = useBranchChoice(agentId, nameOf({ turns, at }), first)
  const topic = turns[at]?.cited_topic || turns[at]?.retrieved_topics?.[0]
  const open = useAction(async () => {
    const { branchId } = await choice.provide()
    const topics = await api.listTopics({ agentId, branchId })
    const id = topics.find(({ name }) => name === topic)?.id
    go(['agents', agentId, 'branches', branchId, 'topics'], { topic: id })
  })
  return (
    <FormDialog
      title={say('turn.change')}
      action={say('turn.open')}
      onClose={onClose}
      onSend={() => void open.start()}
      pending={open.pending}
      error={open.error}
      isIncomplete={!choice.isKnown}
    >
      <p>{topic === undefined ? say('turn.no-topic') : say('turn.topic', { name: topic })}</p>
      <BranchFields choice={choice} />
    </FormDialog>
  )
}

interface TalkActsProps {
  readonly agentId: string
  readonly talk: Talk
}

/** From a conversation to a test of what should have happened in it (TE89). */
export function TalkActs({ agentId, talk }: TalkActsProps) {
  const [isAsked, setAsked] = useState(false)
  return (
    <div class="actions">
      <Button icon="tests" onClick={() => setAsked(true)}>
        {say('talk.test')}
      </Button>
      {isAsked && (
        <TalkTest
          agentId={agentId}
          talk={talk}
          onClose={() => setAsked(false)}
          onMade={({ branchId }) => go(['agents', agentId, 'branches', branchId, 'cases'])}
        />
      )}
    </div>
  )
}

/**
 * From an answer to a better one: its topic, and a test of what should have been answered, which can be run at once.
 */
export function TurnActs(given: Omit<DialogProps, 'onClose'>) {
  const [asked, setAsked] = useState<'change' | 'test' | null>(null)
  const [made, setMade] = useState<CaseMade | null>(null)
  const close = () => setAsked(null)
  const about = { ...given, onClose: close }
  const text = given.turns[given.at]?.user_input ?? ''
  if (text === '') return null
  return (
    <>
      <div class="actions">
        <Button
          kind="bare"
          icon="edit"
          onClick={() => setAsked('change')}
          label={`${say('turn.change')}: ${text}`}
        >
          {say('turn.change')}
        </Button>
        <Button
          kind="bare"
          icon="tests"
          onClick={() => setAsked('test')}
          label={`${say('turn.test')}: ${text}`}
        >
          {say('turn.test')}
        </Button>
      </div>
      {made !== null && (
        <div class="note">
          <p role="status">{say('case.made', { branch: made.branchName })}</p>
          <RunTests agentId={given.agentId} tested={{ branchId: made.branchId }} />
        </div>
      )}
      {asked === 'change' && <ChangeAnswer {...about} />}
      {asked === 'test' && (
        <TalkTest
          {...about}
          talk={given}
          onMade={one => {
            close()
            setMade(one)
          }}
        />
      )}
    </>
  )
}
