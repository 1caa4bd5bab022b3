import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform } from '@colloquy/core'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { freshDatabase } from '@colloquy/test-support/standalone'
import { openWire } from '@colloquy/test-support/wire-client'
import { attachMessaging } from '@colloquy/ws-transport'
import { expect, onTestFinished, test } from 'vitest'

const echo: AgentRuntime = {
  async *respond({ input }) {
    yield { type: 'text', text: input.type === 'message' ? `You said: ${input.text}` : 'Welcome.' }
  },
}

/** Calls `written` for each system call that the socket writes with. */
function countWrites(socket: Socket, written: () => void): void {
  const { _write: write, _writev: writev } = socket
  socket._write = (...chunk) => {
    written()
    write.apply(socket, chunk)
  }
  socket._writev = (...chunks) => {
    written()
    writev?.apply(socket, chunks)
  }
}

/** A server over a file, and a visitor with whom its agent talks. */
async function serve() {
  const platform = createPlatform({
    store: createSqliteStore({ filename: await freshDatabase() }),
    runtime: echo,
    rateLimits: null,
  })
  const { id: accountId } = await platform.access.createAccount({ slug: 'acme', name: 'Acme' })
  const { id: agentId } = await platform.agents.create({ accountId, name: 'Echo', greeting: 'Welcome.' })
  await platform.agents.publish(agentId, { environment: 'live' })
  const host = 'localhost'
  const { token } = await platform.access.createConnector({
    accountId,
    agentId,
    environment: 'live',
    hosts: [host],
  })
  let writes = 0
  const server = createServer()
  server.on('connection', socket => countWrites(socket, () => writes++))
  const endpoint = attachMessaging(server, platform)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    await endpoint.close()
    await new Promise(resolve => server.close(resolve))
    await platform.close()
  })
  const { accessToken } = await platform.messaging.issueAccessToken({
    connectorToken: token,
    host,
    remoteAddress: '127.0.0.1',
  })
  const { sessionId } = await platform.messaging.createSession({
    authorization: `Bearer ${accessToken}`,
    streaming: false,
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const client = await openWire(
    `ws://127.0.0.1:${port}/ws?session_id=${sessionId}&access_token=${accessToken}`,
  )
  const spoken = async (act: () => void): Promise<number> => {
    const before = writes
    act()
    await client.next(({ type }) => type === 'EVENT_TYPE_AI_AGENT_MESSAGE')
    return writes - before
  }
  return { client, spoken }
}

test('over a file, echo, thinking and a reply that is there at once leave in one write', async () => {
  const { client, spoken } = await serve()
  expect(await spoken(() => client.send('REQUEST_AI_AGENT_JOIN'))).toBe(1)
  for (const text of ['One', 'Two', 'Three'])
    expect(await spoken(() => client.send('USER_MESSAGE', { text }))).toBe(1)
})
