/** Answers calls over a store in a folder, until it is killed: a line with its port and a new visitor. */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, silentLog } from '@colloquy/core'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { attachVoice } from '../../src/index.ts'
import { createScriptedSpeaker, createScriptedTranscriber } from '../../src/testing/index.ts'

const [folder = '', token = ''] = process.argv.slice(2)

/** An agent that says its words one by one, as a model does. */
const runtime: AgentRuntime = {
  async *respond({ input }) {
    const text =
      input.type === 'message' ? `You said ${input.text}. That is all that I know of it.` : 'Welcome.'
    for (const word of text.split(/(?<= )/)) {
      await new Promise(resolve => setTimeout(resolve, 20))
      yield { type: 'text', text: word }
    }
  },
}

const platform = createPlatform({
  ...{ store: createSqliteStore({ filename: join(folder, 'store.db') }), runtime, chunkFlush: 0 },
  // As the guide says for calls.
  ...{ turnLease: 5_000, wakeInterval: 1_000 },
  ...{ log: silentLog, onError: error => process.stderr.write(`${String(error)}\n`) },
})

/** The first server of a store makes the agent. */
async function furnish(): Promise<string> {
  const { access, agents } = platform
  const { id: accountId } = await access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const { id: agentId } = await agents.create({ accountId, name: 'Front desk', greeting: 'Welcome.' })
  await agents.publish(agentId, { environment: 'live' })
  const agent = { accountId, agentId, environment: 'live' } as const
  return (await access.createConnector({ ...agent, hosts: ['localhost'] })).token
}

const connectorToken = token || (await furnish())
const server = createServer()
attachVoice(server, platform, { transcriber: createScriptedTranscriber(), speaker: createScriptedSpeaker() })
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
const address = server.address()
const { accessToken } = await platform.messaging.issueAccessToken({
  ...{ connectorToken, host: 'http://localhost', remoteAddress: '127.0.0.1' },
})
const { sessionId } = await platform.messaging.createSession({
  ...{ authorization: `Bearer ${accessToken}`, streaming: true },
})
const port = typeof address === 'object' ? address?.port : 0
process.stdout.write(`${JSON.stringify({ port, connectorToken, accessToken, sessionId })}\n`)
