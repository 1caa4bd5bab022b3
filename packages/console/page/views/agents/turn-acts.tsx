import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useResource } from '../../data/resource.ts'
import { useWritten } from '../../data/written.ts'
import { go } from '../../router.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { BranchFields, useBranchChoice } from './branch-choice.tsx'
import { ExpectationFields } from './expectation-fields.tsx'
import { expectationsOf, NOTHING_EXPECTED } from './expectations.ts'
import { RunTests } from './run-tests.tsx'
import { say } from './texts.ts'

/** A turn, as far as something can be done about it. */
interface Turn {
  readonly user_input: string
  readonly cited_topic?: string
  readonly retrieved_topics?: readonly string[]
}

/** Turns of a test case at most. */
const MOST = 50

/** Longest name of a branch or a test case that is suggested, characters. */
const NAME = 60

/** Branch in which a test case was made. */
interface CaseMade {
  readonly branchId: string
  readonly branchName: string
}

interface DialogProps {
  readonly agentId: string
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

/**
 * Asks for the expected behaviour, and makes a test case of it. The agent's own behaviour is never assumed to be right.
 */
function TestTurn({
  agentId,
  turns,
  at,
  branchId: first,
  onClose,
  onMade,
}: DialogProps & { readonly onMade: (made: CaseMade) => void }) {
  const choice = useBranchChoice(agentId, nameOf({ turns, at }), first)
  const topics = useResource(
    signal => api.listTopics({ agentId, branchId: choice.branchId || 'main' }, { signal }),
    [agentId, choice.branchId],
  )
  const place = `${agentId} test of ${turns.slice(0, at + 1).map(turn => turn.user_input)}`
  const written = useWritten(place, { ...NOTHING_EXPECTED })
  const expectations = expectationsOf(written.value)
  const make = useAction(async () => {
    const { branchId, branchName } = await choice.provide()
    const said = turns.slice(0, at + 1).filter(({ user_input }) => user_input !== '')
    const body = {
      name: nameOf({ turns, at }),
      turns: said.slice(-MOST).map(({ user_input: text }, index, all) => ({
        text,
        expectations: index === all.length - 1 ? expectations : {},
      })),
    }
    await api.createTestCase({ agentId, branchId, body })
    written.sent()
    onMade({ branchId, branchName })
  })
  return (
    <FormDialog
      title={say('turn.test')}
      action={say('turn.keep')}
      onClose={onClose}
      onSend={() => void make.start()}
      pending={make.pending}
      error={topics.error ?? make.error}
      isIncomplete={!choice.isKnown || Object.keys(expectations).length === 0}
    >
      <p>{say('turn.should')}</p>
      <p class="bubble own">{turns[at]?.user_input}</p>
      <ExpectationFields
        value={written.value}
        onChange={written.change}
        topics={(topics.value ?? []).map(({ name }) => name)}
      />
      <BranchFields choice={choice} />
    </FormDialog>
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
        <TestTurn
          {...about}
          onMade={one => {
            close()
            setMade(one)
          }}
        />
      )}
    </>
  )
}
