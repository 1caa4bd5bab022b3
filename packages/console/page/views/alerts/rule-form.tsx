import { useEffect, useRef } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { agentOptions, type ListedAgent } from '../../data/agents.ts'
import { useWritten } from '../../data/written.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { Checkbox, Select, TextField } from '../../ui/field.tsx'
import { ReleaseField } from '../../ui/release.tsx'
import { faultsOf } from './faults.ts'
import { canHaveDeployment, isWhole, METRICS, OPERATORS, type Rule, type RuleDraft, WINDOWS } from './rule.ts'
import { say } from './texts.ts'
import { isTime, windowOf } from './words.tsx'

const WINDOW_NAMES = Object.keys(WINDOWS) as Rule['window_duration'][]

interface RuleFormProps {
  readonly title: string
  readonly action: string
  /** Place of the rule's draft among those kept. */
  readonly place: string
  readonly first: RuleDraft
  readonly agents: readonly ListedAgent[]
  readonly onClose: () => void
  /** Saves it; what the server refuses is shown at its field. */
  readonly save: (draft: RuleDraft) => Promise<unknown>
  readonly onSaved: () => void
}

/** Edits a rule. */
export function RuleForm({ title, action, place, first, agents, onClose, save, onSaved }: RuleFormProps) {
  const { value: draft, change: set, sent } = useWritten(place, first)
  const fields = useRef<HTMLDivElement>(null)
  const act = useAction(save)
  const { at, rest } = faultsOf(act.error)
  // Focus the faulty field for people who use the keyboard, or do not see the page.
  useEffect(() => fields.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [act.error])
  const known = agentOptions(agents)
  const { agentId } = draft
  const isKnown = agentId === '' || known.some(([id]) => id === agentId)
  return (
    <FormDialog
      title={title}
      action={action}
      onClose={onClose}
      onSend={async () => {
        if (!(await act.start(draft))) return
        sent()
        onSaved()
      }}
      pending={act.pending}
      error={rest}
      isIncomplete={!isWhole(draft)}
    >
      <div class="stack" ref={fields}>
        <TextField
          label={sayCommon('name')}
          value={draft.name}
          onChange={name => set({ name })}
          fault={at.name ?? null}
          autofocus
          required
        />
        <Select
          label={sayCommon('agent')}
          value={agentId}
          onChange={value => set({ agentId: value, deploymentId: '' })}
          options={[['', say('account')], ...known, ...(isKnown ? [] : [[agentId, agentId] as const])]}
          fault={at.project_id ?? null}
        />
        <Select
          label={say('metric')}
          value={draft.metric}
          onChange={value => set({ metric: METRICS.find(one => one === value) ?? draft.metric })}
          options={METRICS.map(one => [one, say(`metric.${one}`)] as const)}
          fault={at.metric ?? null}
        />
        {canHaveDeployment(draft) && (
          <ReleaseField
            {...{ agentId, id: draft.deploymentId }}
            onChange={deploymentId => set({ deploymentId })}
          />
        )}
        <Select
          label={say('operator')}
          value={draft.operator}
          onChange={value => set({ operator: OPERATORS.find(one => one === value) ?? draft.operator })}
          options={OPERATORS.map(one => [one, say(one)] as const)}
          fault={at.operator ?? null}
        />
        <TextField
          label={say('threshold')}
          hint={say(isTime(draft.metric) ? 'threshold.time' : 'threshold.count')}
          keys="numeric"
          value={draft.threshold}
          onChange={threshold => set({ threshold })}
          fault={at.threshold_value ?? null}
          required
        />
        <Select
          label={say('window')}
          value={draft.window}
          onChange={value => set({ window: WINDOW_NAMES.find(one => one === value) ?? draft.window })}
          options={WINDOW_NAMES.map(one => [one, windowOf(one)] as const)}
          fault={at.window_duration ?? null}
        />
        <Checkbox label={say('enabled')} value={draft.enabled} onChange={enabled => set({ enabled })} />
      </div>
    </FormDialog>
  )
}
