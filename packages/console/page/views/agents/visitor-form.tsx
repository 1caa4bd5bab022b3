import { Checkbox, TextArea, TextField } from '../../ui/field.tsx'
import { say } from './texts.ts'
import type { VisitorForm } from './visitor-fields.ts'

interface VisitorFieldsProps {
  readonly value: VisitorForm
  readonly onChange: (changes: Partial<VisitorForm>) => void
}

/** Edits the goal of a visitor who talks back, and what the replies must hold. */
export function GoalFields({ value, onChange }: VisitorFieldsProps) {
  return (
    <>
      <TextArea
        label={say('visitor.goal')}
        hint={say('visitor.goal.hint')}
        value={value.goal}
        onChange={goal => onChange({ goal })}
        rows={2}
      />
      <TextArea
        label={say('visitor.wants')}
        hint={say('visitor.wants.hint')}
        value={value.wants}
        onChange={wants => onChange({ wants })}
        rows={2}
      />
    </>
  )
}

/** Edits a visitor who talks back, and what is expected of the talk. */
export function VisitorFields({ value, onChange }: VisitorFieldsProps) {
  return (
    <fieldset class="stack tight">
      <legend>{say('visitor')}</legend>
      <GoalFields value={value} onChange={onChange} />
      <TextArea
        label={say('visitor.facts')}
        hint={say('visitor.facts.hint')}
        value={value.facts}
        onChange={facts => onChange({ facts })}
        rows={3}
      />
      <TextField
        label={say('visitor.persona')}
        hint={say('visitor.persona.hint')}
        value={value.persona}
        onChange={persona => onChange({ persona })}
      />
      <Checkbox
        label={say('expects.goal')}
        value={value.isReached}
        onChange={isReached => onChange({ isReached })}
      />
      <TextArea
        label={say('expects.never')}
        hint={say('case.hint')}
        value={value.never}
        onChange={never => onChange({ never })}
        rows={2}
      />
      <TextArea
        label={say('visitor.judge')}
        hint={say('visitor.judge.hint')}
        value={value.judge}
        onChange={judge => onChange({ judge })}
        rows={2}
      />
      <TextField
        label={say('visitor.max')}
        value={value.maxTurns}
        onChange={maxTurns => onChange({ maxTurns })}
        keys="numeric"
      />
      <TextField
        label={say('visitor.talks')}
        value={value.talks}
        onChange={talks => onChange({ talks })}
        keys="numeric"
      />
      <TextField
        label={say('visitor.must')}
        hint={say('visitor.must.hint')}
        value={value.mustPass}
        onChange={mustPass => onChange({ mustPass })}
        keys="numeric"
      />
    </fieldset>
  )
}
