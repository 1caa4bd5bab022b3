import { useEffect, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useResource } from '../../data/resource.ts'
import { linesOf } from '../../lines.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Checkbox, TextArea, TextField } from '../../ui/field.tsx'
import { Empty, Pending } from '../../ui/parts.tsx'
import { UndoNote } from '../../ui/undo-note.tsx'
import { say } from './texts.ts'

type TestCase = Awaited<ReturnType<typeof api.listTestCases>>[number]

interface PlaceProps {
  readonly agentId: string
  readonly branchId: string
}

interface NewProps extends PlaceProps {
  readonly onClose: () => void
  readonly onMade: () => void
}

function NewCase({ agentId, branchId, onClose, onMade }: NewProps) {
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const [words, setWords] = useState('')
  const [topic, setTopic] = useState('')
  const contains = linesOf(words)
  const create = useAction(async () => {
    const expectations = {
      ...(contains.length === 0 ? {} : { contains }),
      ...(topic.trim() === '' ? {} : { citedTopic: topic.trim() }),
    }
    await api.createTestCase({ agentId, branchId, body: { name, turns: [{ text, expectations }] } })
    onMade()
  })
  return (
    <FormDialog
      title={say('cases.new')}
      action={sayCommon('create')}
      onClose={onClose}
      onSend={() => void create.start()}
      pending={create.pending}
      error={create.error}
      isIncomplete={[name, text].some(one => one.trim() === '')}
    >
      <TextField label={sayCommon('name')} value={name} onChange={setName} autofocus required />
      <TextField label={say('case.says')} value={text} onChange={setText} required />
      <TextArea
        label={say('case.contains')}
        hint={say('case.contains.hint')}
        value={words}
        onChange={setWords}
        rows={2}
      />
      <TextField label={say('case.topic')} hint={say('case.topic.hint')} value={topic} onChange={setTopic} />
    </FormDialog>
  )
}

interface CaseProps extends PlaceProps {
  readonly testCase: TestCase
  readonly isFixed: boolean
  readonly onChanged: () => void
  readonly onDeleted: (testCase: TestCase) => void
}

function CaseOf({ agentId, branchId, testCase, isFixed, onChanged, onDeleted }: CaseProps) {
  const { id: testCaseId, name, turns, isActive } = testCase
  const use = useAction(async (given: boolean) => {
    await api.updateTestCase({ agentId, branchId, testCaseId, body: { isActive: given } })
    onChanged()
  })
  const remove = useAction(async () => {
    await api.deleteTestCase({ agentId, branchId, testCaseId })
    onDeleted(testCase)
  })
  return (
    <article class="change">
      <header class="actions apart">
        <h2>{name}</h2>
        <div class="actions">
          <Checkbox
            label={say('case.active')}
            value={isActive}
            disabled={isFixed || use.pending}
            onChange={given => void use.start(given)}
          />
          {!isFixed && (
            <Button
              kind="bare"
              onClick={() => void remove.start()}
              disabled={remove.pending}
              label={`${sayCommon('delete')}: ${name}`}
            >
              {sayCommon('delete')}
            </Button>
          )}
        </div>
      </header>
      <Failure error={use.error ?? remove.error} />
      <ol class="turns">
        {turns.map(({ text, expectations }, at) => (
          <li class="turn" key={at}>
            <p class="bubble own">{text}</p>
            {Object.entries(expectations).map(([what, value]) => (
              <p class="quiet small" key={what}>
                {say('case.expects', { what })}: <code>{JSON.stringify(value)}</code>
              </p>
            ))}
          </li>
        ))}
      </ol>
    </article>
  )
}

interface TestCasesProps extends PlaceProps {
  readonly isFixed: boolean
  /** Grows when somebody else has changed something. */
  readonly changes: number
}

/** The test cases of a branch: what is said to the agent, and what is expected of it. */
export function TestCases({ agentId, branchId, isFixed, changes }: TestCasesProps) {
  const { value, error, reload } = useResource(
    signal => api.listTestCases({ agentId, branchId }, { signal }),
    [agentId, branchId],
  )
  const [isMaking, setMaking] = useState(false)
  const [removed, setRemoved] = useState<TestCase | null>(null)
  useEffect(() => {
    if (changes > 0) reload()
  }, [changes])
  const make = !isFixed && (
    <div>
      <Button kind="main" onClick={() => setMaking(true)}>
        {say('cases.new')}
      </Button>
    </div>
  )
  return (
    <section class="stack narrow">
      <Failure error={error} again={reload} />
      {removed !== null && (
        <UndoNote
          text={sayCommon('deleted', { name: removed.name })}
          undo={() => api.createTestCase({ agentId, branchId, body: removed })}
          onUndone={() => {
            setRemoved(null)
            reload()
          }}
        />
      )}
      {value === undefined && error === null && <Pending />}
      {value?.length === 0 ? (
        <Empty title={say('cases.none')}>
          <p>{say('cases.none.why')}</p>
          {make}
        </Empty>
      ) : (
        make
      )}
      {value?.map(testCase => (
        <CaseOf
          key={testCase.id}
          agentId={agentId}
          branchId={branchId}
          testCase={testCase}
          isFixed={isFixed}
          onChanged={reload}
          onDeleted={gone => {
            setRemoved(gone)
            reload()
          }}
        />
      ))}
      {isMaking && (
        <NewCase
          agentId={agentId}
          branchId={branchId}
          onClose={() => setMaking(false)}
          onMade={() => {
            setMaking(false)
            reload()
          }}
        />
      )}
    </section>
  )
}
