import { describe, expect, it } from 'vitest'
import type { Deployment } from '../../../domain/agent/agent.ts'
import { lastNumberOf } from '../../../domain/agent/deployment.ts'
import { ENVIRONMENTS } from '../../../domain/environment.ts'
import { AGENT, aDeployment, anAgent, START } from '../../fixtures.ts'
import { agentSnapshot } from './agent-snapshot.ts'
import { count, openForTest, RACERS, race, type StoreFactory, sortedBy } from './tools.ts'

const OTHER = 'PROJECT-TWO'

/** Rules SA40 to SA49: deployments. */
export function describeDeployments(factory: StoreFactory): void {
  const open = async (...deployments: readonly Deployment[]) => {
    const { agents } = await openForTest(factory)
    await agents.create(anAgent())
    await agents.create(anAgent(OTHER))
    for (const deployment of deployments)
      expect(await agents.deployments.create(deployment, null)).toBe('deployed')
    return agents
  }

  describe('deployments', () => {
    it('SA40 a deployment is kept as given, under its agent alone', async () => {
      const deployment = aDeployment(1, { type: 'rollback', message: `it's "back"`, createdBy: 'KEY-1' })
      const agents = await open(deployment)
      expect(await agents.deployments.find(AGENT, deployment.id)).toEqual(deployment)
      expect(await agents.deployments.find(OTHER, deployment.id)).toBeNull()
      expect(await agents.deployments.find(AGENT, aDeployment(2).id)).toBeNull()
      expect(lastNumberOf(await agents.deployments.active(AGENT))).toBe(1)
      expect(lastNumberOf(await agents.deployments.active(OTHER))).toBe(0)
    })

    it('SA41 a number that is not the newest plus one is stale, and nothing is written', async () => {
      const agents = await open(aDeployment(1), aDeployment(2))
      const before = await agentSnapshot(agents, AGENT)
      for (const number of [0, 1, 2, 4]) {
        const deployment = aDeployment(number, { ...aDeployment(9), number, environment: 'live' })
        expect(await agents.deployments.create(deployment, null)).toBe('stale')
        expect(await agents.deployments.find(AGENT, deployment.id)).toBeNull()
      }
      expect(await agentSnapshot(agents, AGENT)).toEqual(before)
    })

    it('SA42 of racing deployments with one number exactly one wins, whatever the environments', async () => {
      const agents = await open(aDeployment(1))
      const candidate = (racer: number) =>
        aDeployment(2, {
          id: `DEPLOYMENT-R${racer}`,
          environment: ENVIRONMENTS[racer % ENVIRONMENTS.length] ?? 'live',
        })
      const results = await race(racer => agents.deployments.create(candidate(racer), null))
      expect(count(results, 'deployed')).toBe(1)
      expect(count(results, 'stale')).toBe(RACERS - 1)
      const found = await race(racer => agents.deployments.find(AGENT, candidate(racer).id))
      const winner = results.indexOf('deployed')
      expect(found).toEqual(found.map((_, racer) => (racer === winner ? candidate(racer) : null)))
      expect(lastNumberOf(await agents.deployments.active(AGENT))).toBe(2)
    })

    it('SA43 an environment lists its own deployments by number, newest first, at most the limit', async () => {
      const agents = await open(
        aDeployment(1, { createdAt: START + 9 }),
        aDeployment(2, { environment: 'live', createdAt: START + 9 }),
        aDeployment(3, { createdAt: START + 9 }),
        aDeployment(4, { createdAt: START }),
        aDeployment(1, { agentId: OTHER }),
      )
      const numbers = async (limit: number) =>
        (await agents.deployments.list(AGENT, 'sandbox', limit)).map(deployment => deployment.number)
      expect(await numbers(100)).toEqual([4, 3, 1])
      expect(await numbers(3)).toEqual([4, 3, 1])
      expect(await numbers(2)).toEqual([4, 3])
      expect(await numbers(0)).toEqual([])
      expect((await agents.deployments.list(AGENT, 'live', 100)).map(({ number }) => number)).toEqual([2])
      expect(await agents.deployments.list(AGENT, 'pre-release', 100)).toEqual([])
    })

    it('SA44 more than nine deployments stay in the order of their numbers', async () => {
      const agents = await open(...Array.from({ length: 12 }, (_, index) => aDeployment(index + 1)))
      const numbers = (await agents.deployments.list(AGENT, 'sandbox', 4)).map(({ number }) => number)
      expect(numbers).toEqual([12, 11, 10, 9])
      expect((await agents.deployments.active(AGENT)).map(({ number }) => number)).toEqual([12])
      expect(lastNumberOf(await agents.deployments.active(AGENT))).toBe(12)
    })

    it('SA45 the active deployments are the newest of each environment that has one', async () => {
      const newest = [
        aDeployment(4, { environment: 'live', createdAt: START }),
        aDeployment(3, { createdAt: START + 50 }),
      ]
      const agents = await open(
        aDeployment(1, { createdAt: START + 99 }),
        aDeployment(2, { environment: 'live', createdAt: START + 99 }),
        aDeployment(3, { createdAt: START + 50 }),
        aDeployment(4, { environment: 'live', createdAt: START }),
        aDeployment(1, { agentId: OTHER, environment: 'pre-release' }),
      )
      const active = await agents.deployments.active(AGENT)
      expect(sortedBy(active, deployment => deployment.environment)).toEqual(newest)
    })
  })
}
