import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { createDispatcher } from '@colloquy/core/transport'
import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { TEST_ROUTES } from '@colloquy/test-support/routes'
import { onTestFinished } from 'vitest'
import type { Settings } from '../../core/src/settings/settings.ts'
import { answerWith, middlewareFor } from '../src/middleware.ts'

/** A server on a free port; gone when the test is. */
export async function listen(listener: RequestListener) {
  const server: Server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port, server }
}

/** A platform with the dispatcher's test routes, as a middleware and as a listener. */
export async function serveTestRoutes(
  trustProxy = false,
  settings: Partial<Settings> = {},
  requestTimeout = 30_000,
) {
  const made = await createPopulatedPlatform(settings)
  const dispatcher = createDispatcher(made.platform, TEST_ROUTES)
  const intake = { trustProxy, requestTimeout, answerTimeout: 120_000 }
  return {
    ...made,
    middleware: middlewareFor(dispatcher, intake),
    listener: answerWith(dispatcher, intake),
  }
}

/** Writes bytes to a port and returns all that comes back until the server closes, or resets what it did not read. */
export async function exchange(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket
    .on('error', () => {})
    .on('data', chunk => {
      answer += String(chunk)
    })
  socket.end(text)
  await new Promise(resolve => socket.once('close', resolve))
  return answer
}
