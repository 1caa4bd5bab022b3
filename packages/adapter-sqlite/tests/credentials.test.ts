import { createPlatform, type Platform } from '@colloquy/core'
import { createFakeClock, createScriptedRuntime } from '@colloquy/core/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSqliteStore } from '../src/store.ts'
import { temporaryStoreFile } from './files.ts'

const HOST = { host: 'example.com', remoteAddress: '192.0.2.1' }

/** Two processes over one file that hear nothing of each other, with a key and a connector. */
async function twoProcesses() {
  const clock = createFakeClock()
  const filename = temporaryStoreFile()
  const errors: unknown[] = []
  const start = (): Platform => {
    const platform = createPlatform({
      store: createSqliteStore({ filename }),
      clock,
      runtime: createScriptedRuntime({}, clock),
      rateLimits: null,
      onError: error => errors.push(error),
    })
    onTestFinished(() => platform.close())
    return platform
  }
  const [here, there] = [start(), start()]
  const account = await here.access.createAccount({ slug: 'one', name: 'One' })
  const agent = await here.agents.create({ accountId: account.id, name: 'Desk', greeting: 'Hello.' })
  const { key, secret } = await here.access.createApiKey({ kind: 'desk', accountId: account.id })
  const { connector, token } = await here.access.createConnector({
    accountId: account.id,
    agentId: agent.id,
    environment: 'live',
    hosts: ['example.com'],
  })
  const accepts = async ({ access }: Platform) => (await access.authenticate(secret, ['desk'], null)) !== null
  const issue = async ({ messaging }: Platform) =>
    (await messaging.issueAccessToken({ connectorToken: token, ...HOST })).accessToken
  const opens = ({ messaging }: Platform, accessToken: string) =>
    messaging.createSession({ authorization: `Bearer ${accessToken}`, streaming: false }).then(
      () => true,
      () => false,
    )
  return { clock, errors, here, there, key, connector, accepts, issue, opens }
}

describe('two processes over one file', () => {
  it('CR5 a key and a connector that one revokes are refused by the other from then on', async () => {
    const { here, there, key, connector, accepts, issue, opens } = await twoProcesses()
    const token = await issue(here)
    expect([await accepts(there), await opens(there, token)]).toEqual([true, true])
    await here.access.revokeApiKey(key.id)
    await here.access.revokeConnector(connector.id)
    expect([await accepts(there), await opens(there, token)]).toEqual([false, false])
    await expect(issue(there)).rejects.toThrow('Connector token does not exist')
  })

  it('CR4 note the last use of a key once a minute between them', async () => {
    const { clock, here, there, key, accepts } = await twoProcesses()
    const used = async () => (await here.access.apiKeys()).apiKeys.find(({ id }) => id === key.id)?.lastUsedAt
    await Promise.all([here, there, here, there].map(accepts))
    await clock.settle()
    const start = clock.now()
    expect(await used()).toBe(start)
    await clock.advance(59_999)
    await accepts(there)
    await clock.settle()
    expect(await used()).toBe(start)
    await clock.advance(1)
    await Promise.all([accepts(here), accepts(there)])
    await clock.settle()
    expect(await used()).toBe(start + 60_000)
  })

  it('CR11, CR13 a rotation in one is known to the other with the first token of the new key', async () => {
    const { here, there, issue, opens } = await twoProcesses()
    const old = await issue(there)
    expect(await opens(there, old)).toBe(true)
    await here.access.rotateTokenKeys()
    const fresh = await issue(here)
    expect([await opens(there, fresh), await opens(there, old), await opens(here, old)]).toEqual([
      true,
      true,
      true,
    ])
    expect(await there.access.tokenKeys()).toEqual(await here.access.tokenKeys())
  })

  it('CR11 rotate at once and lose no key', async () => {
    const { here, there, issue, opens } = await twoProcesses()
    const old = await issue(here)
    await Promise.all([here, there, here, there].map(({ access }) => access.rotateTokenKeys()))
    expect((await here.access.tokenKeys()).map(({ number }) => number)).toEqual([5, 4, 3, 2, 1])
    expect(await opens(there, old)).toBe(true)
  })

  it('CR4 a process that closes has written what it noted', async () => {
    const { errors, here, there, key, accepts } = await twoProcesses()
    expect(await accepts(there)).toBe(true)
    await there.close()
    expect((await here.access.apiKeys()).apiKeys.find(({ id }) => id === key.id)?.lastUsedAt).not.toBeNull()
    expect(errors).toEqual([])
  })
})
