import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { type ListedAgent, useAgents } from '../../data/agents.ts'
import { useWatched } from '../../data/watched.ts'
import { account, may } from '../../session.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Pending } from '../../ui/parts.tsx'
import { UndoNote } from '../../ui/undo-note.tsx'
import { Now } from './now.tsx'
import { draftOf, NEW_RULE, type Rule, settingsOf } from './rule.ts'
import { RuleForm } from './rule-form.tsx'
import { Rules } from './rules.tsx'
import { say } from './texts.ts'

/** Interval at which alerts are checked, milliseconds. The server evaluates rules every 15 s. */
const PACE = 5_000

const nameIn =
  (agents: readonly ListedAgent[]) =>
  (id: string | null): string =>
    id === null ? say('account') : (agents.find(({ agentId }) => agentId === id)?.agentName ?? id)

function Alerts({ accountId }: { readonly accountId: string }) {
  const { value, error, reload } = useWatched(
    async signal => (await api.listAlertRules({}, { signal })).data,
    [accountId],
    PACE,
  )
  const agents = useAgents(accountId)
  const [isMaking, setMaking] = useState(false)
  const [removed, setRemoved] = useState<Rule | null>(null)
  const act = useAction(async (run: () => Promise<unknown>) => {
    try {
      await run()
    } finally {
      // Also where it failed: somebody else may have been quicker.
      reload()
    }
  })
  const switchOver = ({ id, enabled }: Rule) =>
    act.start(() => api.updateAlertRule({ rule_id: id, body: { enabled: !enabled } }))
  const remove = (rule: Rule) =>
    act.start(async () => {
      await api.deleteAlertRule({ rule_id: rule.id })
      setRemoved(rule)
    })
  const known = agents.value ?? []
  const shared = { rules: value ?? [], agents: known, nameOf: nameIn(known) }
  const make = may('operator') && (
    <Button icon="add" kind="main" onClick={() => setMaking(true)}>
      {say('rules.new')}
    </Button>
  )
  return (
    <Page title={say('title')} actions={value !== undefined && value.length > 0 && make}>
      <Failure error={error} again={reload} />
      <Failure error={agents.error} again={agents.reload} />
      <Failure error={act.error} />
      {removed !== null && (
        <UndoNote
          text={say('rule.deleted', { name: removed.name })}
          undo={() => api.createAlertRule({ body: settingsOf(draftOf(removed)) })}
          onUndone={() => {
            setRemoved(null)
            reload()
            // The button that had the focus is gone.
            document.querySelector<HTMLElement>('#main')?.focus()
          }}
        />
      )}
      {value === undefined && error === null && <Pending />}
      {value?.length === 0 && (
        <Empty icon="alerts" title={say('rules.none')}>
          <p>{say('rules.none.why')}</p>
          {make || <p>{say('rules.none.others')}</p>}
        </Empty>
      )}
      {value !== undefined && value.length > 0 && (
        <div class="stack sections">
          <Now {...shared} />
          <Rules
            {...shared}
            onChanged={reload}
            onSwitch={rule => void switchOver(rule)}
            onDelete={rule => void remove(rule)}
          />
        </div>
      )}
      {value !== undefined && (
        <div class="actions after">
          <Button icon="refresh" onClick={reload}>
            {sayCommon('refresh')}
          </Button>
        </div>
      )}
      {isMaking && (
        <RuleForm
          title={say('rules.new')}
          action={sayCommon('create')}
          place="rule new"
          first={NEW_RULE}
          agents={known}
          onClose={() => setMaking(false)}
          save={draft => api.createAlertRule({ body: settingsOf(draft) })}
          onSaved={() => {
            setMaking(false)
            reload()
          }}
        />
      )}
    </Page>
  )
}

/** Shows the current alerts, and their rules. */
export function View() {
  const accountId = account.value?.id ?? ''
  return <Alerts key={accountId} accountId={accountId} />
}
