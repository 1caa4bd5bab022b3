import { createPlatform } from '@colloquy/core'
import { aConversation, createFakeClock, createScriptedRuntime, START } from '@colloquy/core/testing'
import { createDispatcher, type HttpRequest, routes } from '@colloquy/core/transport'
import { contextOf } from '@colloquy/test-support/context-of'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSqliteStore } from '../src/store.ts'
import { temporaryStoreFile } from './files.ts'

/** A platform of its own over the file, as another process would have it. */
function openPlatform(filename: string) {
  const clock = createFakeClock(START)
  const runtime = createScriptedRuntime({}, clock)
  const platform = createPlatform({ store: createSqliteStore({ filename }), runtime, clock })
  onTestFinished(() => platform.close())
  return platform
}

async function prepare(filename: string) {
  const platform = openPlatform(filename)
  const account = await platform.access.createAccount({ slug: 'one', name: 'One' })
  const agent = await platform.agents.create({ accountId: account.id, name: 'Front desk', greeting: 'Hello' })
  return { platform, account, agent }
}

const get = (target: string, key: string): HttpRequest => ({
  method: 'GET',
  path: target,
  query: '',
  headers: { 'x-api-key': key },
  body: async () => new Uint8Array(),
  remoteAddress: '127.0.0.1',
  secure: true,
})

describe('agents over one file', () => {
  it('AG40 of promotions by two processes at once each is recorded, and the last one is active', async () => {
    const filename = temporaryStoreFile()
    const { platform, agent } = await prepare(filename)
    const other = openPlatform(filename)
    const first = await platform.agents.publish(agent.id)
    const branch = await platform.agents.createBranch(agent.id, { branchName: 'work' })
    await platform.agents.updateBehavior(agent.id, branch.id, 'Be kind.')
    const { deployment: second } = await platform.agents.merge(agent.id, branch.id)
    for (let round = 0; round < 10; round++) {
      const before = await platform.agents.deployments(agent.id, 'pre-release')
      const promoted = await Promise.all([
        platform.agents.promote(agent.id, first.id, { deploymentMessage: `a${round}` }),
        other.agents.promote(agent.id, second.id, { deploymentMessage: `b${round}` }),
      ])
      const [newest, next, ...rest] = await other.agents.deployments(agent.id, 'pre-release')
      expect(rest).toEqual(before)
      expect(newest?.number).toBe((next?.number ?? 0) + 1)
      expect([newest, next].sort((a, b) => ((a?.message ?? '') < (b?.message ?? '') ? -1 : 1))).toEqual(
        promoted.map(({ testRunIds: _, ...deployment }) => deployment),
      )
      expect((await platform.agents.activeDeployments(agent.id))['pre-release']).toEqual(newest)
    }
  })

  it('AG21 a duplicate made by one process is whole for another, and after opening again', async () => {
    const filename = temporaryStoreFile()
    const { platform, agent } = await prepare(filename)
    const branch = await platform.agents.createBranch(agent.id, { branchName: 'work' })
    for (const name of ['Parking', 'Pool'])
      await platform.agents.createTopic(agent.id, branch.id, { name, content: `About ${name}` })
    await platform.agents.merge(agent.id, branch.id)
    const copy = await platform.agents.duplicate(agent.id, { newAgentName: 'Copy' })
    const main = 'main'
    const topics = await platform.agents.topics(agent.id, main)
    expect(topics).toHaveLength(2)
    const other = openPlatform(filename)
    expect(await other.agents.topics(copy.id, main)).toEqual(topics)
    const [one, two] = [
      await other.agents.publish(agent.id, { environment: 'live' }),
      await other.agents.publish(copy.id),
    ]
    expect(two.version).toBe(one.version)
  })

  it('AG25 the records of a deleted agent stay readable, also after opening again', async () => {
    const filename = temporaryStoreFile()
    const { platform, account, agent } = await prepare(filename)
    const { secret } = await platform.access.createApiKey({ kind: 'project', accountId: account.id })
    const finished = { finishedAt: START + 1 }
    const conversation = aConversation('C-1', { accountId: account.id, agentId: agent.id, index: finished })
    await contextOf(platform).store.conversations.create(conversation)
    const path = `/v1/one/${agent.id}/conversations`
    const before = await createDispatcher(platform, routes).handle(get(path, secret))
    expect(before.body).toContain('C-1')
    await platform.agents.delete(agent.id)
    for (const reader of [platform, openPlatform(filename)]) {
      const after = await createDispatcher(reader, routes).handle(get(path, secret))
      expect([after.status, after.body]).toEqual([200, before.body])
    }
  })
})
