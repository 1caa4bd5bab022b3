import { api } from '../../api.ts'
import type { ListedAgent } from '../../data/agents.ts'
import { useResource } from '../../data/resource.ts'
import { ENVIRONMENTS, type Environment } from '../../environments.ts'
import { href } from '../../router.ts'
import { say as sayEnvironment } from '../../texts/environments.ts'
import { AgentAvatar } from '../../ui/avatar.tsx'
import { EnvironmentName } from '../../ui/environment.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Pending, Table, Time } from '../../ui/parts.tsx'
import { say } from './texts.ts'

/** Agents that are shown: those that were changed last. */
const MOST = 4

/** Environments from the one that visitors reach. */
const FROM_LIVE = ENVIRONMENTS.toReversed()

interface ReleasedProps {
  /** The one changed last first. */
  readonly agents: readonly ListedAgent[]
}

/** Shows what each environment of the agents runs. */
export function Released({ agents }: ReleasedProps) {
  const shown = agents.slice(0, MOST)
  const { value, error, reload } = useResource(
    signal =>
      Promise.all(
        shown.map(async ({ agentId, agentName }) => {
          const { activeDeployments } = await api.listActiveDeployments({ agentId }, { signal })
          return { agentId, agentName, active: activeDeployments }
        }),
      ),
    [shown.map(({ agentId, updatedAt }) => `${agentId} ${updatedAt}`).join()],
  )
  const cellOf =
    (lane: Environment) =>
    ({ active }: NonNullable<typeof value>[number]) => {
      const deployment = active[lane]
      if (!deployment) return <span class="quiet">{say('none')}</span>
      return (
        <>
          {say('version', { version: deployment.artifactVersion })}{' '}
          <span class="quiet small block">
            <Time at={deployment.createdAt} />
          </span>
        </>
      )
    }
  return (
    <section class="stack" aria-labelledby="home-released">
      <div class="actions apart">
        <h2 id="home-released">{say('live')}</h2>
        <a class="button bare" href={href(['agents'])}>
          {say('live.all')}
          <Icon name="next" />
        </a>
      </div>
      {value === undefined && (error === null ? <Pending /> : <Failure error={error} again={reload} />)}
      {value !== undefined && (
        <Table
          caption={say('live')}
          rows={value}
          keyOf={({ agentId }) => agentId}
          columns={[
            {
              title: say('agent'),
              cell: ({ agentId, agentName }) => (
                <span class="named">
                  <AgentAvatar />
                  <a href={href(['agents', agentId])}>{agentName}</a>
                </span>
              ),
            },
            ...FROM_LIVE.map(lane => ({
              title: sayEnvironment(lane),
              heading: <EnvironmentName of={lane} />,
              cell: cellOf(lane),
            })),
          ]}
        />
      )}
    </section>
  )
}
