import type { ComponentChildren } from 'preact'
import { agentOptions, type ListedAgent, useAgents } from '../data/agents.ts'
import { environmentOf } from '../environments.ts'
import { go, href, route, setQuery } from '../router.ts'
import { account, may } from '../session.ts'
import { say } from '../texts/common.ts'
import { EnvironmentSelect } from '../ui/environment-select.tsx'
import { Failure } from '../ui/failure.tsx'
import { Select } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { Empty, Pending } from '../ui/parts.tsx'

interface AgentPageProps {
  readonly title: string
  /** The area of the page; the agent is the next part of its address. */
  readonly area: string
  /** Filters besides agent and environment, of the agent that is shown. */
  readonly filters: ComponentChildren | ((agentId: string) => ComponentChildren)
  /** Shown once there is an agent. @default none */
  readonly actions?: ComponentChildren
  /** Whether all agents can be chosen together: then the address has `agents=all`. @default false */
  readonly isAcross?: boolean
  /** Gets the agent, and those of the account. */
  readonly children: (agentId: string, agents: readonly ListedAgent[]) => ComponentChildren
}

/** Shows the page of one agent in one environment. Both are in the address; by default the first agent, and live. */
export function AgentPage({ title, area, filters, actions, isAcross = false, children }: AgentPageProps) {
  const agents = useAgents(account.value?.id ?? '')
  const { path, query } = route.value
  const agentId = path[1] ?? agents.value?.[0]?.agentId
  return (
    <Page title={title} actions={agentId === undefined ? undefined : actions}>
      <Failure error={agents.error} again={agents.reload} />
      {agents.value === undefined && agents.error === null && <Pending />}
      {agents.value?.length === 0 && (
        <Empty icon="agents" title={say('no-agents')}>
          <p>{say('no-agents.why')}</p>
          {may('author') && (
            <a class="button main" href={href(['agents'])}>
              <Icon name="agents" />
              {say('no-agents.do')}
            </a>
          )}
        </Empty>
      )}
      {agentId !== undefined && agents.value !== undefined && (
        <>
          <search class="filters">
            <Select
              label={say('agent')}
              value={isAcross && query.agents === 'all' ? '' : agentId}
              onChange={value =>
                value === ''
                  ? go([area], { ...query, agents: 'all' })
                  : go([area, value], { ...query, agents: undefined })
              }
              options={[
                ...(isAcross ? [['', say('agents.all')] as const] : []),
                ...agentOptions(agents.value),
              ]}
            />
            <EnvironmentSelect
              value={environmentOf(query.environment, 'live')}
              onChange={value => setQuery({ environment: value === 'live' ? undefined : value })}
            />
            {typeof filters === 'function' ? filters(agentId) : filters}
          </search>
          {children(agentId, agents.value)}
        </>
      )}
    </Page>
  )
}
