import type { Branch, BranchId, Platform } from '@colloquy/core'
import { DEMO_AGENT, type DemoVariant } from './demo/demo-agent.ts'
import { DEMO_TEST_CASES } from './demo/test-cases.ts'

/** The account of the demo data (contract/operator.md, Demo data). */
export const DEMO_ACCOUNT_ID = 'ws-demo'
/** The agent of the demo data. */
export const DEMO_AGENT_ID = 'PROJECT-DEMO'

/** The branch on which the content is written; gone when it is merged. */
const BRANCH_NAME = 'demo-content'

/** Tests of the demo agent. */
export interface SeedOptions {
  /**
   * False: its test cases are written, but switched off. They expect the words of the retrieval runtime. @default true
   */
  readonly tested?: boolean
  /** Called before each promotion, for a platform that requires passing tests. @default does not wait */
  awaitTests?(): Promise<void>
}

/**
 * Creates what of the demo data is missing, up to the agent's deployment in live; an agent that is live is left as it
 * is (SS7). Every step looks first, so it may be called again whenever it was cut off.
 *
 * @throws DEPLOYMENTS_TESTS_NOT_PASSED where the platform requires passing tests
 */
export async function seedDemo(
  { access, agents }: Pick<Platform, 'access' | 'agents'>,
  options: SeedOptions = {},
): Promise<void> {
  const account =
    (await access.account(DEMO_ACCOUNT_ID)) ??
    (await access.createAccount({ accountId: DEMO_ACCOUNT_ID, slug: 'demo', name: 'Demo' }))
  if ((await agents.find(DEMO_AGENT_ID)) === null) {
    const { name, greeting, languageCode } = DEMO_AGENT
    await agents.create({ accountId: account.id, agentId: DEMO_AGENT_ID, name, greeting, languageCode })
  }
  await publishDemo(agents, options)
}

async function publishDemo(agents: Platform['agents'], options: SeedOptions): Promise<void> {
  const active = await agents.activeDeployments(DEMO_AGENT_ID)
  if (active.live !== null) return
  const branch = (await agents.branches(DEMO_AGENT_ID)).find(({ name }) => name === BRANCH_NAME)
  const sandbox = active.sandbox ?? (await mergeContent(agents, branch, options.tested ?? true))
  const left = (await agents.branches(DEMO_AGENT_ID)).find(({ name }) => name === BRANCH_NAME)
  if (left !== undefined) await agents.deleteBranch(DEMO_AGENT_ID, left.id)
  const message = 'Demo data'
  await options.awaitTests?.()
  const staged =
    active['pre-release'] ??
    (await agents.promote(DEMO_AGENT_ID, sandbox.id, {
      targetEnvironment: 'pre-release',
      deploymentMessage: message,
    }))
  await options.awaitTests?.()
  await agents.promote(DEMO_AGENT_ID, staged.id, { targetEnvironment: 'live', deploymentMessage: message })
}

async function mergeContent(agents: Platform['agents'], started: Branch | undefined, tested: boolean) {
  const branch = started ?? (await agents.createBranch(DEMO_AGENT_ID, { branchName: BRANCH_NAME }))
  await agents.updateBehavior(DEMO_AGENT_ID, branch.id, DEMO_AGENT.behavior)
  await writeVariants(agents, branch.id, await writeAttributes(agents, branch.id))
  const written = new Set((await agents.topics(DEMO_AGENT_ID, branch.id)).map(({ name }) => name))
  for (const { exampleQueries, ...topic } of DEMO_AGENT.topics) {
    if (written.has(topic.name)) continue
    await agents.createTopic(DEMO_AGENT_ID, branch.id, {
      ...topic,
      exampleQueries: [...exampleQueries.queries],
    })
  }
  await writeTestCases(agents, branch.id, tested)
  return (await agents.merge(DEMO_AGENT_ID, branch.id, { deploymentMessage: 'Demo data' })).deployment
}

async function writeTestCases(
  { testCases }: Platform['agents'],
  branchId: BranchId,
  isActive: boolean,
): Promise<void> {
  const written = new Set((await testCases.list(DEMO_AGENT_ID, branchId)).map(({ name }) => name))
  for (const testCase of DEMO_TEST_CASES) {
    if (written.has(testCase.name)) continue
    await testCases.create(DEMO_AGENT_ID, branchId, { ...testCase, isActive })
  }
}

/** The ids of the demo's attributes, by name. */
async function writeAttributes(agents: Platform['agents'], branchId: BranchId): Promise<Map<string, string>> {
  const ids = new Map((await agents.attributes(DEMO_AGENT_ID, branchId)).map(({ id, name }) => [name, id]))
  for (const name of DEMO_AGENT.attributes) {
    if (ids.has(name)) continue
    ids.set(name, (await agents.createAttribute(DEMO_AGENT_ID, branchId, { name })).id)
  }
  return ids
}

/** The default variant, which every agent is born with, becomes the demo's; the others are added. */
async function writeVariants(
  agents: Platform['agents'],
  branchId: BranchId,
  attributeIds: ReadonlyMap<string, string>,
): Promise<void> {
  const values = ({ attributes }: DemoVariant) =>
    Object.fromEntries(
      Object.entries(attributes).flatMap(([name, value]) => {
        const id = attributeIds.get(name)
        return id === undefined ? [] : [[id, value]]
      }),
    )
  const written = await agents.variants(DEMO_AGENT_ID, branchId)
  for (const variant of DEMO_AGENT.variants) {
    const { name, isDefault } = variant
    const existing = written.find(one => (isDefault ? one.isDefault : one.name === name))
    const input = { name, isDefault, attributeValues: values(variant) }
    if (existing === undefined) await agents.createVariant(DEMO_AGENT_ID, branchId, input)
    else await agents.updateVariant(DEMO_AGENT_ID, branchId, existing.id, input)
  }
}
