import { api } from '../../api.ts'
import { useResource } from '../../data/resource.ts'
import { href, route } from '../../router.ts'
import { may } from '../../session.ts'
import { Failure } from '../../ui/failure.tsx'
import { Page } from '../../ui/page.tsx'
import { Pending, Tabs } from '../../ui/parts.tsx'
import { AgentActs } from './agent-acts.tsx'
import { AgentList } from './agent-list.tsx'
import { Branch } from './branch.tsx'
import { BranchList } from './branch-list.tsx'
import { Compare } from './compare.tsx'
import { DebugChat } from './debug-chat.tsx'
import { RealTimeConfig } from './real-time-config.tsx'
import { Releases } from './releases.tsx'
import { RolloutPage } from './rollout.tsx'
import { say as sayRollout } from './rollout-texts.ts'
import { Rollouts } from './rollouts.tsx'
import { TestRun, TestRuns } from './test-runs.tsx'
import { say } from './texts.ts'
import { UnansweredQuestions } from './unanswered.tsx'
import { say as sayUnanswered } from './unanswered-texts.ts'

function Agent({ agentId, view }: { readonly agentId: string; readonly view: string }) {
  const agent = useResource(signal => api.readAgent({ agentId }, { signal }), [agentId])
  const name = agent.value?.agentName ?? agentId
  return (
    <Page
      title={name}
      trail={[[say('agents'), href(['agents'])]]}
      actions={
        agent.value !== undefined && (
          <>
            {view === 'releases' && may('author') && (
              <a class="button main" href={href(['agents', agentId, 'branches'], { new: 'first' })}>
                {say('change-it')}
              </a>
            )}
            <AgentActs agentId={agentId} name={name} onRenamed={agent.reload} />
          </>
        )
      }
    >
      <Tabs
        label={say('views')}
        current={view}
        tabs={[
          ['releases', say('releases'), href(['agents', agentId])],
          ['rollouts', sayRollout('rollouts'), href(['agents', agentId, 'rollouts'])],
          ['content', say('content'), href(['agents', agentId, 'branches', 'main'])],
          ['compare', say('compare.tab'), href(['agents', agentId, 'compare'])],
          ['branches', say('branches'), href(['agents', agentId, 'branches'])],
          ['tests', say('test-runs'), href(['agents', agentId, 'tests'])],
          ['unanswered', sayUnanswered('unanswered'), href(['agents', agentId, 'unanswered'])],
          ['config', say('config'), href(['agents', agentId, 'config'])],
          ...(may('author') ? [['debug', say('debug'), href(['agents', agentId, 'debug'])] as const] : []),
        ]}
      />
      {agent.value === undefined ? (
        agent.error === null ? (
          <Pending />
        ) : (
          <Failure error={agent.error} again={agent.reload} />
        )
      ) : (
        <>
          {view === 'branches' && <BranchList agentId={agentId} />}
          {view === 'compare' && <Compare agentId={agentId} />}
          {view === 'tests' && <TestRuns agentId={agentId} />}
          {view === 'unanswered' && <UnansweredQuestions agentId={agentId} />}
          {view === 'config' && <RealTimeConfig agentId={agentId} />}
          {view === 'debug' && may('author') && <DebugChat agentId={agentId} />}
          {view === 'rollouts' && <Rollouts agentId={agentId} />}
          {view === 'releases' && <Releases agentId={agentId} />}
        </>
      )}
    </Page>
  )
}

const VIEWS = ['rollouts', 'compare', 'branches', 'tests', 'unanswered', 'config', 'debug']

/** Agents: the list, one agent, or one of its branches, as the address says. */
export function View() {
  const [, agentId, view = '', id] = route.value.path
  if (agentId === undefined) return <AgentList />
  if (view === 'branches' && id !== undefined) return <Branch key={id} agentId={agentId} branchId={id} />
  if (view === 'tests' && id !== undefined) return <TestRun key={id} agentId={agentId} testRunId={id} />
  if (view === 'rollouts' && id !== undefined)
    return <RolloutPage key={id} agentId={agentId} rolloutId={id} />
  return <Agent key={agentId} agentId={agentId} view={VIEWS.includes(view) ? view : 'releases'} />
}
