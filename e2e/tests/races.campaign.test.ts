import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, isPlatformError, type Platform } from '@colloquy/core'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { freshDatabase } from '@colloquy/test-support/standalone'
import { describe, expect, onTestFinished, test } from 'vitest'

/** How many race. */
const RACERS = 1_000

const ACCOUNT = 'ws-race'
const AGENT = 'PROJECT-RACE'

/** Two platforms on one file, as two processes would have it: no notice goes from one to the other. */
async function startTwo(): Promise<readonly [Platform, Platform]> {
  const filename = await freshDatabase()
  const start = (): Platform => {
    const platform = createPlatform({
      store: createSqliteStore({ filename }),
      runtime: createRetrievalRuntime(),
      rateLimits: null,
    })
    onTestFinished(() => platform.close())
    return platform
  }
  const platforms = [start(), start()] as const
  await platforms[0].access.createAccount({ accountId: ACCOUNT, slug: 'race', name: 'Race' })
  await platforms[0].agents.create({ accountId: ACCOUNT, agentId: AGENT, name: 'Race', greeting: 'Hello!' })
  await platforms[0].agents.publish(AGENT, { environment: 'live' })
  return platforms
}

/** What came of each: `won`, or the code of the error. */
async function outcomes(racers: readonly Promise<unknown>[]): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {}
  for (const result of await Promise.allSettled(racers)) {
    const name =
      result.status === 'fulfilled' ? 'won' : isPlatformError(result.reason) ? result.reason.code : 'broke'
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

const race = <Value>(
  platforms: readonly [Platform, Platform],
  run: (platform: Platform, index: number) => Promise<Value>,
) => Array.from({ length: RACERS }, (_, index) => run(platforms[index % 2 === 0 ? 0 : 1], index))

describe('a thousand at once, over two processes', () => {
  test('CR5 after the answer to a revocation no request with the key is let in, in either process', async () => {
    const two = await startTwo()
    const { key, secret } = await two[0].access.createApiKey({ kind: 'workspace', accountId: ACCOUNT })
    let revoked = false
    let early = 0
    const late: number[] = []
    const ask = async (platform: Platform, index: number): Promise<void> => {
      // Each begins at a moment of its own.
      for (let turn = 0; turn < index % 50; turn++) await new Promise(resolve => setImmediate(resolve))
      const before = revoked
      const found = await platform.access.authenticate(secret, ['workspace'], null)
      if (found !== null && before) late.push(index)
      if (found !== null) early += 1
    }
    for (const platform of two) await ask(platform, 0)
    expect(early).toBe(two.length)
    const asking = race(two, ask)
    for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve))
    await two[1].access.revokeApiKey(key.id)
    revoked = true
    await Promise.all(asking)
    for (const platform of two) await ask(platform, 0)
    expect(late).toEqual([])
  })

  test('CR5 after the answer to a connector revocation nobody gets an access token or a session, whatever edits race it', async () => {
    const two = await startTwo()
    const { connector, token } = await two[0].access.createConnector({
      accountId: ACCOUNT,
      agentId: AGENT,
      environment: 'live',
      hosts: ['a.example'],
    })
    const host = { connectorToken: token, host: 'a.example', remoteAddress: '' }
    const { accessToken } = await two[0].messaging.issueAccessToken(host)
    let revoked = false
    let early = 0
    const late: string[] = []
    const tries = [
      (platform: Platform) => platform.messaging.issueAccessToken(host),
      (platform: Platform) =>
        platform.messaging.createSession({ authorization: `Bearer ${accessToken}`, streaming: false }),
    ] as const
    const ask = async (platform: Platform, index: number): Promise<void> => {
      for (let turn = 0; turn < index % 50; turn++) await new Promise(resolve => setImmediate(resolve))
      const before = revoked
      if (index % 10 === 0) {
        await platform.access.updateConnector(connector.id, { name: `${index}` }).catch(() => {})
        return
      }
      const [result] = await Promise.allSettled([tries[index % 4 < 2 ? 0 : 1](platform)])
      if (result.status === 'fulfilled' && before) late.push(`${index}`)
      if (result.status === 'fulfilled') early += 1
      else expect(result.reason).toMatchObject({ code: 'MESSAGING_UNAUTHORISED' })
    }
    // One who asks for a token, and one for a session.
    for (const index of [1, 2]) for (const platform of two) await ask(platform, index)
    expect(early).toBe(4)
    const asking = race(two, ask)
    for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve))
    await two[1].access.revokeConnector(connector.id)
    revoked = true
    await Promise.all(asking)
    for (const index of [1, 2]) for (const platform of two) await ask(platform, index)
    expect(late).toEqual([])
    expect((await two[0].access.connectors({ accountId: ACCOUNT })).connectors[0]?.revokedAt).not.toBeNull()
  })

  test('an agent is merged, promoted and published while it is deleted: it is gone whole, and nothing made for it leads to a later one of its id', async () => {
    const two = await startTwo()
    const connector = { accountId: ACCOUNT, environment: 'live', hosts: ['a.example'] } as const
    const host = { host: 'a.example', remoteAddress: '' }
    for (let round = 0; round < 10; round++) {
      const agentId = `race-${round}`
      await two[0].agents.create({ accountId: ACCOUNT, agentId, name: 'Race', greeting: 'Hello!' })
      const branch = await two[0].agents.createBranch(agentId, { branchName: 'work' })
      await two[0].agents.updateBehavior(agentId, branch.id, 'Behave.')
      const deployment = await two[0].agents.publish(agentId, {})
      const work = [
        ({ agents }: Platform) => agents.merge(agentId, branch.id),
        ({ agents }: Platform) => agents.promote(agentId, deployment.id, { targetEnvironment: 'live' }),
        ({ agents }: Platform) => agents.publish(agentId, { environment: 'live' }),
        ({ agents }: Platform) => agents.updateBehavior(agentId, branch.id, `Behave ${round}.`),
        ({ agents }: Platform) => agents.createBranch(agentId, { branchName: 'more' }),
      ] as const
      const tokens: string[] = []
      const secrets: string[] = []
      const issue = async ({ access }: Platform): Promise<void> => {
        tokens.push((await access.createConnector({ ...connector, agentId })).token)
        secrets.push((await access.createApiKey({ kind: 'project', accountId: ACCOUNT, agentId })).secret)
      }
      await issue(two[0])
      const racers = Array.from({ length: 60 }, async (_, index) => {
        const platform = two[index % 2 === 0 ? 0 : 1]
        for (let turn = 0; turn < index % 20; turn++) await new Promise(resolve => setImmediate(resolve))
        if (index === 29) return platform.agents.delete(agentId)
        return index % 6 === 5 ? issue(platform) : work[index % work.length]?.(platform)
      })
      const came = await outcomes(racers)
      expect(Object.keys(came).filter(name => name === 'broke' || name === 'INTERNAL')).toEqual([])
      for (const { agents } of two) {
        expect(await agents.find(agentId)).toBeNull()
        await expect(agents.branches(agentId)).rejects.toMatchObject({ code: 'PROJECT_NOT_FOUND' })
      }
      // The account takes the id again; what was made for the earlier agent opens nothing of it.
      await two[1].agents.create({ accountId: ACCOUNT, agentId, name: 'Later', greeting: 'Hi' })
      await two[1].agents.publish(agentId, { environment: 'live' })
      expect(await two[0].agents.branches(agentId)).toHaveLength(1)
      for (const connectorToken of tokens)
        await expect(two[1].messaging.issueAccessToken({ connectorToken, ...host })).rejects.toMatchObject({
          code: 'MESSAGING_UNAUTHORISED',
        })
      for (const secret of secrets)
        expect(await two[1].access.authenticate(secret, ['project'], null)).toBeNull()
    }
  })
})
