import { describe, expect, it } from 'vitest'
import { AGENT, aDeployment, anAgent, aRollout, aTestRun, START } from '../../../fixtures.ts'
import { count, openForTest, race, type StoreFactory } from '../tools.ts'

const END = { winner: 'candidate', at: START + 9, by: 'library', deploymentId: 'D-2' } as const

/** Rules ST8 and RO5: rollouts. */
export function describeRollouts(factory: StoreFactory): void {
  /** Opens a store with an agent that has a live deployment. */
  async function open() {
    const { agents } = await openForTest(factory)
    for (const id of [AGENT, 'PROJECT-OTHER']) await agents.create(anAgent(id))
    await agents.deployments.create(aDeployment(1, { environment: 'live' }), null)
    return agents
  }

  describe('rollouts', () => {
    it('ST8 rollouts are listed newest first to their agent, and those in progress apart', async () => {
      const { rollouts } = await open()
      const { candidate } = aRollout('R-1')
      const made = ['R-1', 'R-2', 'R-3'].map((id, at) =>
        aRollout(id, {
          ...{ startedAt: START + at, environment: at === 2 ? 'pre-release' : 'live' },
          candidate: { ...candidate, deploymentId: at === 1 ? 'D-9' : candidate.deploymentId },
        }),
      )
      for (const one of made) {
        expect(await rollouts.start(one, 1)).toBe('started')
        expect(await rollouts.running(AGENT)).toEqual([one])
        expect(await rollouts.change({ before: one, after: { ...one, end: END } })).toBe('changed')
      }
      const ended = made.map(one => ({ ...one, end: END }))
      const listed = (limit: number, filter = {}) => rollouts.list({ agentId: AGENT, ...filter }, limit)
      expect(await listed(9)).toEqual(ended.toReversed())
      expect(await listed(2)).toEqual(ended.slice(1).reverse())
      const ids = async (filter: object) => (await listed(1, filter)).map(({ id }) => id)
      const { deploymentId: candidateId } = candidate
      expect(await ids({ environment: 'live' })).toEqual(['R-2'])
      expect(await ids({ candidateId })).toEqual(['R-3'])
      expect(await ids({ environment: 'live', candidateId })).toEqual(['R-1'])
      expect(await ids({ environment: 'pre-release', candidateId: 'D-9' })).toEqual([])
      expect(await rollouts.running(AGENT)).toEqual([])
      expect(await rollouts.find(AGENT, 'R-2')).toEqual(ended[1])
      expect([await rollouts.find('PROJECT-OTHER', 'R-2'), await rollouts.find(AGENT, 'R-9')]).toEqual([
        null,
        null,
      ])
      expect(await rollouts.start(aRollout('R-4', { environment: 'pre-release' }), 1)).toBe('started')
      expect(await rollouts.start(aRollout('R-5'), 1)).toBe('started')
      const running = await rollouts.running(AGENT)
      expect(running.map(({ id }) => id).toSorted()).toEqual(['R-4', 'R-5'])
    })

    it('RO5 an environment has one rollout, and nothing is deployed beside it', async () => {
      const { deployments, rollouts } = await open()
      const started = await race(racer => rollouts.start(aRollout(`R-${racer}`), 1))
      expect(count(started, 'started')).toBe(1)
      const [running] = await rollouts.running(AGENT)
      expect(await deployments.create(aDeployment(2, { environment: 'live' }), null)).toBe('stale')
      expect(await deployments.create(aDeployment(2), null)).toBe('deployed')
      if (running === undefined) throw new Error('No rollout runs.')
      const ended = { before: running, after: { ...running, end: END } }
      const deployed = { deployment: aDeployment(3, { environment: 'live' }), testRun: aTestRun(3) }
      const late = { deployment: aDeployment(2, { environment: 'live' }), testRun: null }
      expect(await rollouts.change({ ...ended, deployed: late })).toBe('stale')
      const changes = await race(() => rollouts.change({ ...ended, deployed }))
      expect(count(changes, 'changed')).toBe(1)
      expect((await deployments.list(AGENT, 'live', 9)).map(({ number }) => number)).toEqual([3, 1])
      expect(await rollouts.running(AGENT)).toEqual([])
      expect(await deployments.create(aDeployment(4, { environment: 'live' }), null)).toBe('deployed')
    })

    it('RO5 of a rollout and a deployment at the same time one is there, and the other is stale', async () => {
      const { deployments, rollouts } = await open()
      const results = await race<string>(racer =>
        racer % 2 === 0
          ? rollouts.start(aRollout(`R-${racer}`), 1)
          : deployments.create(aDeployment(2, { id: `D-${racer}`, environment: 'live' }), null),
      )
      expect(results.filter(result => result !== 'stale')).toHaveLength(1)
      const running = await rollouts.running(AGENT)
      const deployed = await deployments.list(AGENT, 'live', 9)
      expect(running.length + deployed.length).toBe(2)
    })
  })
}
