import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import { createPlatform, silentLog } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { describe, expect, onTestFinished, test } from 'vitest'
import { attachDesk, attachMessaging } from '../src/index.ts'

const open = () => {
  const store = createMemoryStore()
  const platform = createPlatform({ store, runtime: createRetrievalRuntime(), log: silentLog })
  onTestFinished(() => platform.close())
  return platform
}

describe.each([
  ['attachMessaging', attachMessaging],
  ['attachDesk', attachDesk],
] as const)('%s', (name, attach) => {
  const given = (...args: readonly unknown[]): unknown => Reflect.apply(attach, undefined, args)

  test.each([
    [
      'an app, a function with methods of a server,',
      Object.assign(() => undefined, { on() {}, listen() {} }),
    ],
    ['a listener', () => undefined],
    ['nothing', undefined],
    ['a server of TCP', createTcpServer()],
    ['an object that looks like one', { on() {}, listen() {}, listeners: () => [] }],
  ])('EM4 %s in place of the server is refused, and the message says what to pass', (_, server) => {
    const message = `${name} takes an HTTP or HTTPS server first. Pass the server that createServer(app) or app.listen() returns.`
    expect(() => given(server, open())).toThrow(
      expect.objectContaining({ code: 'SCHEMA_VALIDATION_FAILED', message }),
    )
  })

  test.each([
    [{ pingIntervall: 5 }, `${name} has no option "pingIntervall". Did you mean pingInterval?`],
    [5, `${name} takes an object of options, not number.`],
  ])('EM4 %j is refused, and the server is as it was', (options, message) => {
    const server = createServer()
    expect(() => given(server, open(), options)).toThrow(
      expect.objectContaining({ code: 'SCHEMA_VALIDATION_FAILED', message }),
    )
    expect(server.listenerCount('upgrade')).toBe(0)
  })

  test.each([
    ['http', createServer()],
    ['https', createSecureServer()],
  ])('EM4 a server of %s and every option are taken', async (_, server) => {
    const options = {
      ...{ path: '/elsewhere', trustProxy: 1, allowInsecure: true, maxBufferedBytes: 5, handshakeTimeout: 5 },
      ...{ maxHandshakes: 5, pingInterval: 5, closeTimeout: 5, drainTimeout: 5 },
    }
    const endpoint = attach(server, open(), options)
    expect(server.listenerCount('upgrade')).toBe(1)
    await endpoint.close()
  })
})

test('EM4 pageHosts is an option of the desk alone', async () => {
  const options = { pageHosts: ['example.com'] }
  await attachDesk(createServer(), open(), options).close()
  expect(() => Reflect.apply(attachMessaging, undefined, [createServer(), open(), options])).toThrow(
    'attachMessaging has no option "pageHosts".',
  )
})
