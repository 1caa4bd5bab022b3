import { describe, expect, it } from 'vitest'
import type { AgentStore } from '../../../../ports/store/agents.ts'
import {
  ACCOUNT,
  AGENT,
  aBranch,
  aCommit,
  aDeployment,
  anAgent,
  aRealTimeConfig,
  aTestRun,
  aTopic,
  START,
} from '../../../fixtures.ts'
import { agentSnapshot, NO_AGENT } from '../agent-snapshot.ts'
import { openForTest, race, type StoreFactory, untilWon } from '../tools.ts'

const OTHER = 'PROJECT-TWO'

/** Writes an agent with two revisions, a branch with changes, two deployments, and a real-time config. */
async function growAgent(agents: AgentStore, agentId: string = AGENT): Promise<void> {
  await agents.create(anAgent(agentId, { changes: [aTopic('a'), aTopic('b')] }))
  const branch = aBranch('BRANCH-1', { agentId })
  await agents.branches.create(branch)
  await agents.revisions.commit(aCommit(branch, { revision: 1, deployment: 0 }, [aTopic('c')]))
  await agents.branches.edit(2, { ...branch, baseRevision: 2, version: 3 }, [aTopic('d')])
  await agents.deployments.create(aDeployment(2, { agentId, environment: 'live' }), null)
  expect(await agents.realTimeConfigs.write(0, aRealTimeConfig({ agentId }))).toBe('written')
}

/** Writes to the agent that {@link growAgent} makes. */
const LATE_WRITES: readonly ((agents: AgentStore) => Promise<unknown>)[] = [
  agents => agents.branches.create(aBranch('BRANCH-2')),
  agents => agents.branches.edit(3, aBranch('BRANCH-1', { version: 4 }), [aTopic('e')]),
  agents => agents.deployments.create(aDeployment(3), null),
  agents => agents.realTimeConfigs.write(0, aRealTimeConfig({ environment: 'live' })),
  agents => agents.realTimeConfigs.write(1, aRealTimeConfig({ version: 2 })),
  agents => agents.testRuns.create(aTestRun(2, { id: 'T-late' })),
  agents =>
    agents.revisions.commit(aCommit(aBranch('BRANCH-1', { version: 3 }), { revision: 2, deployment: 2 })),
]

function describeWholeAgents(open: () => Promise<AgentStore>): void {
  it('SA1 of an unknown agent there is nothing, and nothing can be written to it; a new one has main and revision 1', async () => {
    const agents = await open()
    expect(await agentSnapshot(agents, AGENT)).toEqual(NO_AGENT)
    expect(await agents.rename(AGENT, { before: anAgent().agent.name, after: 'Night' }, START)).toBe(false)
    expect([await agents.delete(AGENT, START), await agents.branches.delete(AGENT, 'BRANCH-1')]).toEqual([
      false,
      false,
    ])
    for (const write of LATE_WRITES) expect(await write(agents)).toMatch(/stale|missing/)
    expect(await agents.realTimeConfigs.write(0, aRealTimeConfig())).toBe('stale')
    expect(await agents.deployments.create(aDeployment(1), null)).toBe('stale')
    expect(await agents.findRecord(AGENT)).toBeNull()
    expect(await agentSnapshot(agents, AGENT)).toEqual(NO_AGENT)
    const { agent, changes, main, revision } = anAgent(AGENT, { changes: [aTopic('a'), aTopic('b')] })
    await agents.create({ agent, main, revision, changes })
    const begun = {
      agent,
      head: revision,
      branches: [main],
      branchChanges: [[]],
      resources: changes,
      changes,
    }
    expect(await agentSnapshot(agents, AGENT)).toEqual({
      ...NO_AGENT,
      ...begun,
      revisions: [null, revision, null],
    })
    expect(await agents.branches.find(AGENT, main.id)).toEqual(main)
  })

  it('SA1 an id that exists is taken, whatever the account, and nothing is written', async () => {
    const agents = await open()
    await growAgent(agents)
    const before = await agentSnapshot(agents, AGENT)
    for (const accountId of [ACCOUNT, 'ws-other'])
      expect(await agents.create(anAgent(AGENT, { accountId, changes: [aTopic('z')] }))).toBe('taken')
    expect(await agentSnapshot(agents, AGENT)).toEqual(before)
    expect(await agents.list('ws-other')).toEqual([])
  })

  it('SA6 an agent that takes a deleted one’s id begins with nothing of it, and others keep theirs', async () => {
    const agents = await open()
    await growAgent(agents, OTHER)
    await growAgent(agents)
    const kept = await agentSnapshot(agents, OTHER)
    await agents.delete(AGENT, START)
    expect(await agentSnapshot(agents, AGENT)).toEqual(NO_AGENT)
    expect(await agents.branches.changes(AGENT, 'BRANCH-1')).toEqual([])
    await agents.create(anAgent(AGENT, { changes: [aTopic('only')] }))
    expect(await agentSnapshot(agents, AGENT)).toMatchObject({
      ...{
        branches: [{ id: 'main' }],
        resources: [aTopic('only')],
        deployments: [[], [], []],
        realTimeConfigs: [],
      },
    })
    await agents.branches.create(aBranch('BRANCH-1'))
    expect(await agents.branches.changes(AGENT, 'BRANCH-1')).toEqual([])
    expect(await agents.deployments.create(aDeployment(1), null)).toBe('deployed')
    expect(await agentSnapshot(agents, OTHER)).toEqual(kept)
  })

  it('SA6 a write that comes while an agent is being deleted leaves nothing of it behind, whenever it comes', async () => {
    for (const write of [
      ...LATE_WRITES,
      (agents: AgentStore) => Promise.all(LATE_WRITES.map(one => one(agents))),
    ])
      for (const deleter of [1, 4]) {
        const agents = await open()
        await growAgent(agents)
        await race(racer => (racer === deleter ? agents.delete(AGENT, START) : write(agents)))
        expect(await agentSnapshot(agents, AGENT)).toEqual(NO_AGENT)
        expect(await agents.branches.changes(AGENT, 'BRANCH-1')).toEqual([])
        expect(await agents.testRuns.find(AGENT, 'T-late')).toBeNull()
      }
  })

  it('a rename changes the name and the time of one agent, and nothing else', async () => {
    const agents = await open()
    await growAgent(agents)
    await agents.create(anAgent(OTHER))
    const before = await agentSnapshot(agents, AGENT)
    const name = { before: anAgent().agent.name, after: 'Nacht\u{1F319}' }
    expect(await agents.rename(AGENT, { ...name, before: name.after }, START + 7)).toBe(false)
    expect(await agentSnapshot(agents, AGENT)).toEqual(before)
    expect(await agents.rename(AGENT, name, START + 7)).toBe(true)
    const agent = { ...anAgent().agent, name: name.after, updatedAt: START + 7 }
    expect(await agentSnapshot(agents, AGENT)).toEqual({ ...before, agent })
    expect(await agents.list(ACCOUNT)).toEqual([agent, anAgent(OTHER).agent])
  })

  it('an agent’s record counts its branches, and says when they or main were written last', async () => {
    const agents = await open()
    const { agent } = anAgent()
    for (const id of [AGENT, OTHER]) await agents.create(anAgent(id))
    expect(await agents.findRecord(AGENT)).toEqual({ ...agent, branchCount: 1 })
    const branch = aBranch('BRANCH-1', { updatedAt: START + 5 })
    await agents.branches.create(branch)
    await agents.branches.create(aBranch('BRANCH-1', { agentId: OTHER, updatedAt: START + 99 }))
    expect(await agents.findRecord(AGENT)).toEqual({ ...agent, updatedAt: START + 5, branchCount: 2 })
    const merge = aCommit(branch, { revision: 1, deployment: 0 })
    await agents.revisions.commit({ ...merge, revision: { ...merge.revision, createdAt: START + 9 } })
    await agents.branches.delete(AGENT, branch.id)
    expect(await agents.findRecord(AGENT)).toEqual({ ...agent, updatedAt: START + 9, branchCount: 1 })
  })

  it('SA1 the newest deletion is remembered with its account and moment, and the id is taken for all others for good', async () => {
    const agents = await open()
    const elsewhere = anAgent(AGENT, { accountId: 'ws-other' })
    expect(await agents.delete(AGENT, START)).toBe(false)
    await agents.create(anAgent())
    expect(await agents.findDeleted(ACCOUNT, AGENT)).toBeNull()
    for (const deletedAt of [START + 1, START + 2]) {
      await agents.delete(AGENT, deletedAt)
      expect(await agents.findDeleted(ACCOUNT, AGENT)).toEqual({ id: AGENT, accountId: ACCOUNT, deletedAt })
      expect([await agents.create(elsewhere), await agents.find(AGENT)]).toEqual(['taken', null])
      expect([await agents.create(anAgent()), await agents.create(elsewhere)]).toEqual(['created', 'taken'])
    }
    expect(await agents.findDeleted('ws-other', AGENT)).toBeNull()
    expect(await agents.findDeleted(ACCOUNT, 'PROJECT-NONE')).toBeNull()
    for (const deleter of [0, 2, 4, 6]) {
      const results = await race<unknown>(racer =>
        racer === deleter ? agents.delete(AGENT, START) : agents.create(elsewhere),
      )
      expect(results).toEqual(results.map((_, racer) => (racer === deleter ? true : 'taken')))
      await agents.create(anAgent())
    }
  })
}

function describeDeployments(open: () => Promise<AgentStore>): void {
  it('SA80 a deployment is found under its agent alone; a number that is not the newest plus one is stale', async () => {
    const agents = await open()
    for (const id of [AGENT, OTHER]) await agents.create(anAgent(id))
    for (const number of [1, 2]) await agents.deployments.create(aDeployment(number), null)
    expect(await agents.deployments.find(AGENT, aDeployment(1).id)).toEqual(aDeployment(1))
    expect(await agents.deployments.find(OTHER, aDeployment(1).id)).toBeNull()
    const before = await agentSnapshot(agents, AGENT)
    for (const number of [0, 1, 2, 4]) {
      const deployment = aDeployment(number, { id: 'another', environment: 'live' })
      expect(await agents.deployments.create(deployment, null)).toBe('stale')
      expect(await agents.deployments.find(AGENT, 'another')).toBeNull()
    }
    expect(await agentSnapshot(agents, AGENT)).toEqual(before)
  })

  it('SA80 an environment lists its own by number, newest first, at most the limit; its newest is active', async () => {
    const agents = await open()
    for (const id of [AGENT, OTHER]) await agents.create(anAgent(id))
    const created = Array.from({ length: 12 }, (_, at) =>
      aDeployment(at + 1, {
        createdAt: START + 99 - at,
        environment: at === 4 || at === 1 ? 'live' : 'sandbox',
      }),
    )
    for (const one of [...created, aDeployment(1, { agentId: OTHER, environment: 'pre-release' })])
      await agents.deployments.create(one, null)
    const numbers = async (environment: 'sandbox' | 'live', limit: number) =>
      (await agents.deployments.list(AGENT, environment, limit)).map(({ number }) => number)
    expect(await numbers('sandbox', 100)).toEqual([12, 11, 10, 9, 8, 7, 6, 4, 3, 1])
    expect([await numbers('sandbox', 4), await numbers('sandbox', 0)]).toEqual([[12, 11, 10, 9], []])
    expect(await numbers('live', 100)).toEqual([5, 2])
    expect(await agents.deployments.list(AGENT, 'pre-release', 100)).toEqual([])
    const active = await agents.deployments.active(AGENT)
    expect(active.map(({ number }) => number).toSorted()).toEqual([12, 5])
    expect((await agents.revisions.main(AGENT))?.lastDeployment).toBe(12)
  })
}

function describeConfigs(open: () => Promise<AgentStore>): void {
  const live = { environment: 'live' } as const

  it('ST7 a config is kept under its agent and environment alone, and written at its version alone', async () => {
    const agents = await open()
    const { realTimeConfigs } = agents
    for (const id of [AGENT, OTHER]) await agents.create(anAgent(id))
    expect([await realTimeConfigs.find(AGENT, 'live'), await realTimeConfigs.list(AGENT)]).toEqual([null, []])
    expect(await realTimeConfigs.write(1, aRealTimeConfig({ ...live, version: 2 }))).toBe('stale')
    await realTimeConfigs.write(0, aRealTimeConfig({ ...live, schema: null }))
    const second = aRealTimeConfig({
      ...live,
      version: 2,
      variables: { a: { b: [1] } },
      updatedAt: START + 5,
    })
    expect(await realTimeConfigs.write(1, second)).toBe('written')
    for (const expected of [0, 1, 3])
      expect(await realTimeConfigs.write(expected, { ...second, version: expected + 1, variables: {} })).toBe(
        'stale',
      )
    const theirs = aRealTimeConfig({ ...live, agentId: OTHER, variables: {} })
    expect(await realTimeConfigs.write(0, theirs)).toBe('written')
    expect(await realTimeConfigs.list(AGENT)).toEqual([second])
    expect(await realTimeConfigs.find(OTHER, 'live')).toEqual(theirs)
    expect(await realTimeConfigs.find(AGENT, 'sandbox')).toBeNull()
    const variables = ([id, name]: readonly [string, 'live' | 'sandbox']) =>
      realTimeConfigs.variables(id, name)
    const asked = [
      [AGENT, 'live'],
      [AGENT, 'sandbox'],
      [OTHER, 'live'],
      ['none', 'live'],
    ] as const
    expect(await Promise.all(asked.map(variables))).toEqual([second.variables, null, {}, null])
  })

  it('ST7 losers who look again and try again all get their turn, without a gap', async () => {
    const agents = await open()
    await agents.create(anAgent(AGENT, { changes: [] }))
    await race(racer =>
      untilWon(async () => {
        const stored = await agents.realTimeConfigs.find(AGENT, 'sandbox')
        const version = stored?.version ?? 0
        const variables = { ...stored?.variables, [`racer ${racer}`]: racer }
        const next = aRealTimeConfig({ version: version + 1, variables })
        return (await agents.realTimeConfigs.write(version, next)) === 'written'
      }),
    )
    const stored = await agents.realTimeConfigs.find(AGENT, 'sandbox')
    expect([stored?.version, Object.keys(stored?.variables ?? {}).length]).toEqual([8, 8])
    await race(async racer => {
      const branch = aBranch(`BRANCH-R${racer}`)
      await agents.branches.create(branch)
      await untilWon(async () => {
        const main = await agents.revisions.main(AGENT)
        const revision = main?.head.number ?? 0
        const deployment = main?.lastDeployment ?? 0
        return (await agents.revisions.commit(aCommit(branch, { revision, deployment }))) === 'committed'
      })
    })
    const { lastDeploymentNumber, resources, revisions } = await agentSnapshot(agents, AGENT)
    const numbers = revisions.map(revision => revision?.number ?? null)
    expect(numbers).toEqual([null, 1, 2, 3, 4, 5, 6, 7, 8, 9, null])
    expect([lastDeploymentNumber, resources.length]).toEqual([8, 8])
  })
}

/** Tests of agents as a whole, deployments and configs (SA1, SA6, SA80 and ST7). */
export function describeAgents(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).agents
  describe('agents', () => describeWholeAgents(open))
  describe('deployments', () => describeDeployments(open))
  describe('real-time configs', () => describeConfigs(open))
}
