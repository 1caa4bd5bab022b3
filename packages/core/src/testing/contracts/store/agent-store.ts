import { describe } from 'vitest'
import { describeAgentValues } from './agent-values.ts'
import { describeAgents } from './agents.ts'
import { describeBranches } from './branches.ts'
import { describeCommits } from './commits.ts'
import { describeDeployments } from './deployments.ts'
import { describeRealTimeConfigs } from './real-time-configs.ts'
import { describeRevisions } from './revisions.ts'
import { describeTestRuns } from './test-runs.ts'
import type { StoreFactory } from './tools.ts'

/** Declares the tests of the `AgentStore` port (rules SA1 to SA89) for one adapter. To be called in a vitest file. */
export function testAgentStore(name: string, factory: StoreFactory): void {
  describe(`${name}: agent store`, () => {
    describeAgents(factory)
    describeBranches(factory)
    describeRevisions(factory)
    describeCommits(factory)
    describeDeployments(factory)
    describeRealTimeConfigs(factory)
    describeTestRuns(factory)
    describeAgentValues(factory)
  })
}
