import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useResource } from '../../data/resource.ts'
import { linesOf } from '../../lines.ts'
import { go } from '../../router.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Select, TextArea } from '../../ui/field.tsx'
import { BranchFields, useBranchChoice } from '../agents/branch-choice.tsx'
import { say as sayAgents } from '../agents/texts.ts'
import { say } from './texts.ts'
import type { Turn } from './woven.ts'

/** Turns of a test case at most. */
const MOST = 50

/** Longest name of a branch or a test case that is suggested, characters. */
const NAME = 60

interface DialogProps {
  readonly agentId: string
  readonly turns: readonly Turn[]
  /** The turn that it is about. */
  readonly at: number
  readonly onClose: () => void
}

const nameOf = ({ turns, at }: Pick<DialogProps, 'turns' | 'at'>): string =>
  (turns[at]?.user_input ?? '').slice(0, NAME).trim() || say('turn.change')

/** Leads to the topic of an answer, on a branch. */
function ChangeAnswer({ agentId, turns, at, onClose }: DialogProps) {
  const choice = useBranchChoice(agentId, nameOf({ turns, at }))
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

/** Asks what should have happened, and makes a test case of it: never what the agent did is taken as right. */
function TestTurn({
  agentId,
  turns,
  at,
  onClose,
  onMade,
}: DialogProps & { readonly onMade: (branch: string) => void }) {
  const choice = useBranchChoice(agentId, nameOf({ turns, at }))
  const topics = useResource(
    signal => api.listTopics({ agentId, branchId: choice.branchId || 'main' }, { signal }),
    [agentId, choice.branchId],
  )
  const [citedTopic, setTopic] = useState('')
  const [words, setWords] = useState('')
  const contains = linesOf(words)
  const make = useAction(async () => {
    const { branchId, branchName } = await choice.provide()
    const said = turns.slice(0, at + 1).filter(({ user_input }) => user_input !== '')
    const expectations = {
      ...(contains.length === 0 ? {} : { contains }),
      ...(citedTopic === '' ? {} : { citedTopic }),
    }
    const body = {
      name: nameOf({ turns, at }),
      turns: said.slice(-MOST).map(({ user_input: text }, index, all) => ({
        text,
        expectations: index === all.length - 1 ? expectations : {},
      })),
    }
    await api.createTestCase({ agentId, branchId, body })
    onMade(branchName)
  })
  return (
    <FormDialog
      title={say('turn.test')}
      action={say('turn.keep')}
      onClose={onClose}
      onSend={() => void make.start()}
      pending={make.pending}
      error={topics.error ?? make.error}
      isIncomplete={!choice.isKnown || (citedTopic === '' && contains.length === 0)}
    >
      <p>{say('turn.should')}</p>
      <p class="bubble own">{turns[at]?.user_input}</p>
      <Select
        label={say('turn.should.topic')}
        value={citedTopic}
        onChange={setTopic}
        options={[
          ['', say('turn.should.any')],
          ...(topics.value ?? []).map(({ name }) => [name, name] as const),
        ]}
      />
      <TextArea
        label={sayAgents('case.contains')}
        hint={sayAgents('case.contains.hint')}
        value={words}
        onChange={setWords}
        rows={2}
      />
      <BranchFields choice={choice} />
    </FormDialog>
  )
}

interface TurnActsProps {
  readonly agentId: string
  readonly turns: readonly Turn[]
  readonly at: number
  readonly onTested: (branch: string) => void
}

/** From an answer to a better one: its topic, and a test of what should have been answered. */
export function TurnActs({ agentId, turns, at, onTested }: TurnActsProps) {
  const [asked, setAsked] = useState<'change' | 'test' | null>(null)
  const close = () => setAsked(null)
  const about = { agentId, turns, at, onClose: close }
  const text = turns[at]?.user_input ?? ''
  if (text === '') return null
  return (
    <div class="actions">
      <Button kind="bare" onClick={() => setAsked('change')} label={`${say('turn.change')}: ${text}`}>
        {say('turn.change')}
      </Button>
      <Button kind="bare" onClick={() => setAsked('test')} label={`${say('turn.test')}: ${text}`}>
        {say('turn.test')}
      </Button>
      {asked === 'change' && <ChangeAnswer {...about} />}
      {asked === 'test' && (
        <TestTurn
          {...about}
          onMade={branch => {
            close()
            onTested(branch)
          }}
        />
      )}
    </div>
  )
}
