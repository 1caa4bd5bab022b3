import { openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, test, vi } from 'vitest'
import { createPlatform } from '../../src/platform.ts'
import { silentLog } from '../../src/ports/log.ts'
import { hostOf, WAYS, watchUncaught } from './failing-host.ts'

const uncaught = watchUncaught()

/** The same with the built-in desk. */
function withDesk() {
  const { liveAgents: _, ...host } = hostOf()
  return host
}

describe('what fails in a host that is told of failures', () => {
  const broken = new Error('the store is gone')

  test('EM1 onError falls back to the log, and tells both failures', () => {
    const lines: unknown[] = []
    const log = {
      ...silentLog,
      error: (message: string, fields?: object) => lines.push({ message, ...fields }),
    }
    const platform = createPlatform({ ...withDesk(), log, onError: WAYS.throws })
    platform.settings.onError(broken, 'worker')
    expect(lines).toMatchObject([
      { message: 'onError failed', where: 'worker', error: expect.stringContaining('the store is gone') },
    ])
  })

  test('EM1 the log falls back to the console, and that to silence', () => {
    const log = { ...silentLog, error: WAYS.throws }
    const platform = createPlatform({ ...withDesk(), log, onError: WAYS.throws })
    platform.settings.onError(broken, 'worker')
    expect(console.error).toHaveBeenCalledTimes(1)
    vi.mocked(console.error).mockImplementation(WAYS.throws)
    platform.settings.onError(broken, 'worker')
    expect(console.error).toHaveBeenCalledTimes(2)
  })

  test('EM1 a transport that throws, and a watcher of the desk that rejects, are told of', async () => {
    const told: string[] = []
    const host = withDesk()
    const onError = (error: unknown, where: string) => told.push(`${where}: ${error}`)
    const platform = createPlatform({ ...host, rateLimits: null, onError })
    const visitor = await openVisitor(platform, host.clock)
    await platform.desk.watch(visitor.accountId, WAYS.rejects)
    await visitor.join()
    await visitor.say('person')
    await host.clock.settle()
    expect(told).toContain('desk feed: Error: the host failed')
    const { messaging } = platform
    const { accessToken } = await messaging.issueAccessToken({
      ...{ connectorToken: 'connector-token-for-tests', host: 'example.com', remoteAddress: '127.0.0.1' },
    })
    const { sessionId } = await messaging.createSession({
      ...{ authorization: `Bearer ${accessToken}`, streaming: false },
    })
    const handshake = await messaging.handshake({ sessionId, accessToken, cursor: null })
    if (!('open' in handshake)) throw new Error(handshake.message)
    const connection = handshake.open({ send: WAYS.throws, close: WAYS.throws, drained: WAYS.rejects })
    connection.receive(JSON.stringify({ type: 'EVENT_TYPE_REQUEST_AI_AGENT_JOIN', payload: {} }))
    await connection.settled()
    await host.clock.settle()
    connection.closed()
    expect(told).toContain('messaging transport: Error: the host failed')
    await platform.close()
    expect(uncaught).toEqual([])
  })
})

describe('a host that sets no log', () => {
  test('EM2 finds a failed turn on the console once, and nothing else', async () => {
    const { log: _, onError: __, ...host } = withDesk()
    const info = vi.spyOn(console, 'info')
    const platform = createPlatform({ ...host, rateLimits: null })
    const visitor = await openVisitor(platform, host.clock)
    await visitor.join()
    await visitor.say('broken')
    expect(console.warn).toHaveBeenCalledWith(
      '[colloquy] A turn failed',
      expect.objectContaining({ error: expect.stringMatching(/^Error: the model is down\n/) }),
    )
    expect(console.error).not.toHaveBeenCalled()
    expect(info).not.toHaveBeenCalled()
    await platform.close()
  })

  test('EM2 with silentLog the console stays empty', async () => {
    const { log: _, onError: __, ...host } = withDesk()
    const platform = createPlatform({ ...host, rateLimits: null, log: silentLog })
    const visitor = await openVisitor(platform, host.clock)
    await visitor.join()
    await visitor.say('broken')
    expect(console.warn).not.toHaveBeenCalled()
    expect(console.error).not.toHaveBeenCalled()
    await platform.close()
  })
})
