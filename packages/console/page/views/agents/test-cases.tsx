import { useEffect, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { readDraft } from '../../data/drafts.ts'
import { useResource } from '../../data/resource.ts'
import { useWritten } from '../../data/written.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Checkbox, Select, TextField } from '../../ui/field.tsx'
import { Empty, Pending } from '../../ui/parts.tsx'
import { UndoNote } from '../../ui/undo-note.tsx'
import { CaseEditor, placeOf } from './case-editor.tsx'
import { ExpectationFields } from './expectation-fields.tsx'
import { expectationsOf, expectationTexts, NOTHING_EXPECTED } from './expectations.ts'
import { RunTests } from './run-tests.tsx'
import { TalkTest } from './talk-test.tsx'
import { say } from './texts.ts'
import { NEW_VISITOR, talkTexts, visitorOf } from './visitor-fields.ts'
import { GoalFields } from './visitor-form.tsx'

type TestCase = Awaited<ReturnType<typeof api.listTestCases>>[number]

interface PlaceProps {
  readonly agentId: string
  readonly branchId: string
}

interface NewProps extends PlaceProps {
  readonly topics: readonly string[]
  readonly onClose: () => void
  readonly onMade: () => void
}

function NewCase({ agentId, branchId, topics, onClose, onMade }: NewProps) {
  const written = useWritten(`${agentId} ${branchId} new case`, {
    ...{ name: '', text: '', talksBack: '' },
    ...{ ...NOTHING_EXPECTED, goal: '', wants: '' },
  })
  const { name, text, talksBack, goal, wants, ...expected } = written.value
  const create = useAction(async () => {
    const body =
      talksBack === ''
        ? { turns: [{ text, expectations: expectationsOf(expected) }] }
        : { visitor: visitorOf({ ...NEW_VISITOR, goal, wants }) }
    await api.createTestCase({ agentId, branchId, body: { name, ...body } })
    written.sent()
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
      isIncomplete={[name, talksBack === '' ? text : goal].some(one => one.trim() === '')}
    >
      <TextField
        label={sayCommon('name')}
        value={name}
        onChange={given => written.change({ name: given })}
        autofocus
        required
      />
      <Select
        label={say('visitor.kind')}
        value={talksBack}
        onChange={given => written.change({ talksBack: given })}
        options={[
          ['', say('visitor.turns')],
          ['yes', say('visitor')],
        ]}
      />
      {talksBack === '' ? (
        <>
          <TextField
            label={say('case.says')}
            value={text}
            onChange={given => written.change({ text: given })}
            required
          />
          <ExpectationFields value={expected} onChange={written.change} topics={topics} />
        </>
      ) : (
        <GoalFields value={{ ...NEW_VISITOR, goal, wants }} onChange={written.change} />
      )}
    </FormDialog>
  )
}

interface CaseProps extends PlaceProps {
  readonly testCase: TestCase
  readonly topics: readonly string[]
  readonly isFixed: boolean
  /** Grows when somebody else has changed something. */
  readonly changes: number
  readonly onChanged: () => void
  readonly onDeleted: (testCase: TestCase) => void
}

function CaseOf({ agentId, branchId, testCase, topics, isFixed, changes, onChanged, onDeleted }: CaseProps) {
  const { id: testCaseId, name, turns, visitor, isActive } = testCase
  const use = useAction(async (given: boolean) => {
    await api.updateTestCase({ agentId, branchId, testCaseId, body: { isActive: given } })
    onChanged()
  })
  const remove = useAction(async () => {
    await api.deleteTestCase({ agentId, branchId, testCaseId })
    onDeleted(testCase)
  })
  // Unsaved changes are shown again.
  const [isEdited, setEdited] = useState(readDraft(placeOf(agentId, branchId, testCaseId)) !== null)
  if (isEdited && !isFixed)
    return (
      <CaseEditor
        agentId={agentId}
        branchId={branchId}
        testCase={testCase}
        topics={topics}
        changes={changes}
        onDone={() => {
          setEdited(false)
          onChanged()
        }}
      />
    )
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
            <>
              <Button
                icon="edit"
                kind="bare"
                onClick={() => setEdited(true)}
                label={`${say('case.edit')}: ${name}`}
              >
                {say('case.edit')}
              </Button>
              <Button
                icon="delete"
                kind="bare"
                onClick={() => void remove.start()}
                disabled={remove.pending}
                label={`${sayCommon('delete')}: ${name}`}
              >
                {sayCommon('delete')}
              </Button>
            </>
          )}
        </div>
      </header>
      <Failure error={use.error ?? remove.error} />
      {visitor !== null && (
        <div class="turn">
          <p class="bubble own">{visitor.goal}</p>
          {talkTexts(visitor).map(words => (
            <p class="quiet small" key={words}>
              {words}
            </p>
          ))}
        </div>
      )}
      <ol class="turns">
        {turns.map(({ text, expectations }, at) => (
          <li class="turn" key={at}>
            <p class="bubble own">{text}</p>
            {expectationTexts(expectations).map(words => (
              <p class="quiet small" key={words}>
                {words}
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

/** Shows the test cases of a branch: what is said to the agent, and what is expected of it. */
export function TestCases({ agentId, branchId, isFixed, changes }: TestCasesProps) {
  const { value, error, reload } = useResource(
    signal => api.listTestCases({ agentId, branchId }, { signal }),
    [agentId, branchId],
  )
  const topics = useResource(
    signal => api.listTopics({ agentId, branchId }, { signal }),
    [agentId, branchId, changes],
  )
  const names = (topics.value ?? []).map(({ name }) => name)
  const [isMaking, setMaking] = useState(false)
  const [isLearning, setLearning] = useState(false)
  const [removed, setRemoved] = useState<TestCase | null>(null)
  useEffect(() => {
    if (changes > 0) reload()
  }, [changes])
  const make = !isFixed && (
    <div class="actions">
      <Button icon="add" kind="main" onClick={() => setMaking(true)}>
        {say('cases.new')}
      </Button>
      <Button icon="conversations" onClick={() => setLearning(true)}>
        {say('talk.from')}
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
        <Empty icon="tests" title={say('cases.none')}>
          <p>{say('cases.none.why')}</p>
          {make}
        </Empty>
      ) : (
        make
      )}
      {value !== undefined && value.length > 0 && <RunTests agentId={agentId} tested={{ branchId }} />}
      {value?.map(testCase => (
        <CaseOf
          key={testCase.id}
          agentId={agentId}
          branchId={branchId}
          testCase={testCase}
          topics={names}
          isFixed={isFixed}
          changes={changes}
          onChanged={reload}
          onDeleted={gone => {
            setRemoved(gone)
            reload()
          }}
        />
      ))}
      {isLearning && (
        <TalkTest
          agentId={agentId}
          branchId={branchId}
          onClose={() => setLearning(false)}
          onMade={() => {
            setLearning(false)
            reload()
          }}
        />
      )}
      {isMaking && (
        <NewCase
          agentId={agentId}
          branchId={branchId}
          topics={names}
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
