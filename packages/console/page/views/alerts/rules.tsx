import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import type { ListedAgent } from '../../data/agents.ts'
import { href } from '../../router.ts'
import { may } from '../../session.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { Table } from '../../ui/parts.tsx'
import { ReleaseName } from '../../ui/release.tsx'
import { changesOf, draftOf, type Rule } from './rule.ts'
import { RuleForm } from './rule-form.tsx'
import { say } from './texts.ts'
import { amount, conditionOf, State } from './words.tsx'

/** Shows the latest value. If there is none, the state gives the reason. */
const measured = ({ metric, current_value: value }: Rule) =>
  value === null ? <span class="quiet">–</span> : amount(metric, value)

/** Actions on a rule. */
interface ActsProps {
  readonly rule: Rule
  readonly onChange: () => void
  readonly onSwitch: () => void
  readonly onDelete: () => void
}

function Acts({ rule: { name, enabled }, onChange, onSwitch, onDelete }: ActsProps) {
  const act = say(enabled ? 'switch-off' : 'switch-on')
  return (
    <div class="row-acts">
      <Button icon="edit" kind="bare" label={`${say('change')}: ${name}`} onClick={onChange}>
        {say('change')}
      </Button>
      <Button kind="bare" label={`${act}: ${name}`} onClick={onSwitch}>
        {act}
      </Button>
      <Button icon="delete" kind="bare" label={`${sayCommon('delete')}: ${name}`} onClick={onDelete}>
        {sayCommon('delete')}
      </Button>
    </div>
  )
}

interface RulesProps {
  readonly rules: readonly Rule[]
  readonly agents: readonly ListedAgent[]
  readonly nameOf: (agentId: string | null) => string
  /** A rule was changed on the server. */
  readonly onChanged: () => void
  readonly onSwitch: (rule: Rule) => void
  readonly onDelete: (rule: Rule) => void
}

/** Shows the rules of an account, and what operators do with them. */
export function Rules({ rules, agents, nameOf, onChanged, onSwitch, onDelete }: RulesProps) {
  const [open, setOpen] = useState<Rule | null>(null)
  return (
    <section class="stack" aria-labelledby="alert-rules">
      <h2 id="alert-rules">{say('rules')}</h2>
      <p class="quiet">
        {say('rules.why')}{' '}
        {may('operator') && <a href={href(['settings', 'webhooks'])}>{say('rules.webhooks')}</a>}
      </p>
      <Table
        caption={say('rules')}
        rows={rules}
        keyOf={({ id }) => id}
        columns={[
          {
            title: say('rule'),
            cell: ({ deployment_id, name, project_id }) => (
              <>
                {name} <span class="quiet small block">{nameOf(project_id)}</span>
                {deployment_id !== undefined && project_id !== null && (
                  <span class="quiet small block">
                    <ReleaseName agentId={project_id} id={deployment_id} />
                  </span>
                )}
              </>
            ),
          },
          { title: say('when'), cell: conditionOf },
          { title: say('value'), cell: measured },
          { title: say('state'), cell: rule => <State rule={rule} /> },
          ...(may('operator')
            ? [
                {
                  title: '',
                  cell: (rule: Rule) => (
                    <Acts
                      rule={rule}
                      onChange={() => setOpen(rule)}
                      onSwitch={() => onSwitch(rule)}
                      onDelete={() => onDelete(rule)}
                    />
                  ),
                },
              ]
            : []),
        ]}
      />
      {open !== null && (
        <RuleForm
          title={say('rule.change', { name: open.name })}
          action={say('save')}
          place={`rule ${open.id}`}
          first={draftOf(open)}
          agents={agents}
          onClose={() => setOpen(null)}
          save={draft => api.updateAlertRule({ rule_id: open.id, body: changesOf(draft, open) })}
          onSaved={() => {
            setOpen(null)
            onChanged()
          }}
        />
      )}
    </section>
  )
}
