import type { ComponentType } from 'preact'
import { href, route } from '../../router.ts'
import { account } from '../../session.ts'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/parts.tsx'
import { Accounts } from './accounts.tsx'
import { Assignment } from './assignment.tsx'
import { AuditLog } from './audit-log.tsx'
import { Connector } from './connector.tsx'
import { Connectors } from './connectors.tsx'
import { Delivery } from './delivery.tsx'
import { Keys } from './keys.tsx'
import { QueueHours } from './queue-hours.tsx'
import { Retention } from './retention.tsx'
import { SharedReplies } from './shared-replies.tsx'
import { Telephony } from './telephony.tsx'
import { say } from './texts.ts'
import { Voices } from './voices.tsx'
import { Webhook } from './webhook.tsx'
import { Webhooks } from './webhooks.tsx'

interface ViewProps {
  readonly accountId: string
}

const VIEWS = {
  connectors: Connectors,
  telephony: Telephony,
  voices: Voices,
  replies: SharedReplies,
  hours: QueueHours,
  assignment: Assignment,
  keys: Keys,
  webhooks: Webhooks,
  accounts: Accounts,
  retention: Retention,
  audit: AuditLog,
} satisfies Readonly<Record<string, ComponentType<ViewProps>>>

const NAMES = Object.keys(VIEWS) as (keyof typeof VIEWS)[]

/** Shows the settings: access for others, outgoing webhooks, and the audit log. */
export function View() {
  const [, given, id, deliveryId] = route.value.path
  const accountId = account.value?.id ?? ''
  if (given === 'connectors' && id !== undefined) return <Connector key={id} id={id} />
  if (given === 'webhooks' && id !== undefined && deliveryId !== undefined)
    return <Delivery key={deliveryId} id={id} deliveryId={deliveryId} />
  if (given === 'webhooks' && id !== undefined) return <Webhook key={id} id={id} />
  const names = accountId === '' ? (['accounts'] as const) : NAMES
  const name = names.find(one => one === given) ?? names[0] ?? 'accounts'
  const Chosen: ComponentType<ViewProps> = VIEWS[name]
  return (
    <Page title={say('title')}>
      <div class="beside">
        <Tabs
          label={say('views')}
          current={name}
          tabs={names.map(one => [one, say(one), href(['settings', one])] as const)}
        />
        <Chosen key={`${name} ${accountId}`} accountId={accountId} />
      </div>
    </Page>
  )
}
