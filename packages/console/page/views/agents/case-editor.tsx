import { useEffect } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAutosave } from '../../data/autosave.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { ExpectationFields } from './expectation-fields.tsx'
import {
  type Expected,
  expectationsOf,
  expectationTexts,
  expectedOf,
  NOTHING_EXPECTED,
  type TestTurn,
  turnsText,
} from './expectations.ts'
import { SaveState, savingDraft } from './save-state.tsx'
import { say } from './texts.ts'
import {
  type VisitorForm,
  type VisitorProfile,
  visitorFormOf,
  visitorOf,
  visitorText,
} from './visitor-fields.ts'
import { VisitorFields } from './visitor-form.tsx'

type TestCase = Awaited<ReturnType<typeof api.listTestCases>>[number]

/** A turn as the form has it. */
interface Row extends Expected {
  readonly text: string
  /** As it was when it was read: what the form does not have stays. */
  readonly before: TestTurn['expectations']
}

/** A test case as a form has it: its turns belong together, and so does its visitor; each is one field. */
type CaseFields = Readonly<Record<'name' | 'turns' | 'visitor', string>>

const rowOf = ({ text, expectations }: TestTurn): Row => ({
  ...{ text, ...expectedOf(expectations), before: expectations },
})

/** A visitor as the form has it. */
interface VisitorRow extends VisitorForm {
  readonly before: VisitorProfile
}

const fieldsOf = ({ name, turns, visitor }: TestCase): CaseFields => ({
  name,
  turns: JSON.stringify(turns.map(rowOf)),
  visitor: visitor === null ? '' : JSON.stringify({ ...visitorFormOf(visitor), before: visitor }),
})

const visitorRowOf = (visitor: string): VisitorRow | null => (visitor === '' ? null : JSON.parse(visitor))

const profileOf = (visitor: string): VisitorProfile | null => {
  const row = visitorRowOf(visitor)
  return row === null ? null : visitorOf(row, row.before)
}

const rowsOf = (turns: string): readonly Row[] => JSON.parse(turns)

/** Returns a turn in which nothing is said yet is not there yet. */
const turnsOf = (turns: string): readonly TestTurn[] =>
  rowsOf(turns)
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, before, ...expected }) => ({ text, expectations: expectationsOf(expected, before) }))

const bodyOf = ({ name, turns, visitor }: Partial<CaseFields>) => ({
  ...(name === undefined ? {} : { name }),
  ...(turns === undefined ? {} : { turns: turnsOf(turns) }),
  ...(visitor === undefined ? {} : { visitor: profileOf(visitor) }),
})

/** Returns the place of a test case's draft. */
export const placeOf = (agentId: string, branchId: string, testCaseId: string): string =>
  `${agentId} ${branchId} case ${testCaseId}`

const LABELS: Readonly<Record<string, () => string>> = {
  turns: () => say('field.turns'),
  visitor: () => say('visitor'),
}

const labelOf = (field: string): string => (LABELS[field] ?? (() => sayCommon('name')))()

function inWords(field: string, value: string | boolean) {
  if (field === 'turns') return turnsText(turnsOf(String(value)))
  const profile = field === 'visitor' ? profileOf(String(value)) : null
  return profile === null ? value : visitorText(profile)
}

interface RowFieldsProps {
  readonly row: Row
  readonly number: number
  readonly topics: readonly string[]
  readonly onChange: (changes: Partial<Row>) => void
  /** Undefined if it is the only one. */
  readonly onRemove: (() => void) | undefined
}

function RowFields({ row, number, topics, onChange, onRemove }: RowFieldsProps) {
  const { topic, function: called } = row.before
  const kept = {
    ...(topic === undefined ? {} : { topic }),
    ...(called === undefined ? {} : { function: called }),
  }
  return (
    <fieldset class="stack tight">
      <legend>{say('case.turn', { number })}</legend>
      <TextArea label={say('case.says')} value={row.text} onChange={text => onChange({ text })} rows={2} />
      <ExpectationFields value={row} onChange={onChange} topics={topics} />
      {expectationTexts(kept).map(what => (
        <p class="quiet small" key={what}>
          {say('case.kept', { what })}
        </p>
      ))}
      {onRemove !== undefined && (
        <div>
          <Button icon="delete" kind="bare" onClick={onRemove}>
            {say('case.turn.remove')}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

interface CaseEditorProps {
  readonly agentId: string
  readonly branchId: string
  readonly testCase: TestCase
  readonly topics: readonly string[]
  /** Grows when somebody else has changed something. */
  readonly changes: number
  readonly onDone: () => void
}

/** Shows a test case that is changed: its name, what the visitor says, and what is expected. It saves itself. */
export function CaseEditor({ agentId, branchId, testCase, topics, changes, onDone }: CaseEditorProps) {
  const place = { agentId, branchId, testCaseId: testCase.id }
  const draft = useAutosave<CaseFields>(placeOf(agentId, branchId, testCase.id), fieldsOf(testCase), {
    read: async () => fieldsOf(await api.readTestCase(place)),
    save: (change, expected) =>
      api.updateTestCase({ ...place, body: { ...bodyOf(change), expected: bodyOf(expected) } }),
  })
  useEffect(() => {
    if (changes > 0) draft.refresh()
  }, [changes])
  const { name, turns, visitor } = draft.value
  const rows = rowsOf(turns)
  const row = visitorRowOf(visitor)
  const put = (next: readonly Row[]): void => draft.change({ turns: JSON.stringify(next) })
  return (
    <article class="change" aria-label={name}>
      <SaveState drafts={[{ ...savingDraft(draft, labelOf), inWords }]} />
      <TextField
        label={sayCommon('name')}
        value={name}
        onChange={text => draft.change({ name: text })}
        autofocus
      />
      {row !== null && (
        <VisitorFields
          value={row}
          onChange={more => draft.change({ visitor: JSON.stringify({ ...row, ...more }) })}
        />
      )}
      {rows.map((row, at) => (
        <RowFields
          key={at}
          row={row}
          number={at + 1}
          topics={topics}
          onChange={more => put(rows.with(at, { ...row, ...more }))}
          onRemove={rows.length > 1 ? () => put(rows.toSpliced(at, 1)) : undefined}
        />
      ))}
      <div class="actions">
        {row === null && (
          <Button onClick={() => put([...rows, { text: '', ...NOTHING_EXPECTED, before: {} }])}>
            {say('case.turn.add')}
          </Button>
        )}
        <Button icon="check" kind="main" disabled={draft.state !== 'saved'} onClick={onDone}>
          {say('case.done')}
        </Button>
      </div>
    </article>
  )
}
