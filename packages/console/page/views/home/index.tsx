import { useAgents } from '../../data/agents.ts'
import { href, route, setQuery } from '../../router.ts'
import { account, may } from '../../session.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { Failure } from '../../ui/failure.tsx'
import { Select } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Pending } from '../../ui/parts.tsx'
import { DAYS } from './days.ts'
import { FigureTiles } from './figure-tiles.tsx'
import { Now } from './now.tsx'
import { Released } from './released.tsx'
import { say } from './texts.ts'

/** The first screen: who waits, what fires, how a day went, and what is released. Each leads to its list. */
export function View() {
  const accountId = account.value?.id ?? ''
  const { value, error, reload } = useAgents(accountId)
  const agents = value?.toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt)) ?? []
  const { query } = route.value
  const agent = agents.find(({ agentId }) => agentId === query.agent) ?? agents[0]
  const day = DAYS.find(one => one === query.day) ?? 'yesterday'
  return (
    <Page title={say('title')}>
      <Failure error={error} again={reload} />
      {value === undefined && error === null && <Pending />}
      {value?.length === 0 && (
        <Empty icon="agents" title={sayCommon('no-agents')}>
          <p>{sayCommon('no-agents.why')}</p>
          {may('author') && (
            <a class="button main" href={href(['agents'])}>
              <Icon name="agents" />
              {sayCommon('no-agents.do')}
            </a>
          )}
        </Empty>
      )}
      {agent !== undefined && (
        <div class="stack sections">
          <Now
            accountId={accountId}
            agentId={agent.agentId}
            agentName={agents.length > 1 ? agent.agentName : undefined}
          />
          <Released agents={agents} />
          <section class="stack" aria-labelledby="home-figures">
            <div class="actions apart">
              <h2 id="home-figures">{say('figures', { day: say(day) })}</h2>
              <div class="actions">
                {agents.length > 1 && (
                  <Select
                    label={say('agent')}
                    value={agent.agentId}
                    onChange={given => setQuery({ agent: given })}
                    options={agents.map(({ agentId, agentName }) => [agentId, agentName] as const)}
                  />
                )}
                <div class="choice">
                  {DAYS.map(one => (
                    <button
                      key={one}
                      type="button"
                      class="button"
                      aria-pressed={one === day}
                      onClick={() => setQuery({ day: one === 'yesterday' ? undefined : one })}
                    >
                      {say(one)}
                    </button>
                  ))}
                </div>
              </div>
            </div>
            <FigureTiles accountId={accountId} agentId={agent.agentId} day={day} />
          </section>
        </div>
      )}
    </Page>
  )
}
