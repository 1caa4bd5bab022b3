/**
 * Answers Twilio's calls over a store in a folder, until it is killed: a line with its port and the agent, and one for
 * each turn that begins and each sentence that is kept as heard.
 */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, silentLog } from '@colloquy/core'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { createTwilioHandler } from '@colloquy/integrations/twilio'
import { attachTwilioVoice } from '../../src/twilio/index.ts'
import { answerWith, TOKEN, URL_OF_STREAM, URL_OF_TWILIO } from '../support/phone-calls.ts'
import { levelSpeaker, loudnessTranscriber } from '../support/phone-sentences.ts'

const [folder = '', token = ''] = process.argv.slice(2)

const tell = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

let turns = 0

/** An agent that says its words one by one, as a model does. */
const runtime: AgentRuntime = {
  async *respond({ input }) {
    tell({ turns: ++turns })
    const text = input.type === 'message' ? `You said ${input.text}. And that was all of it.` : 'Welcome.'
    for (const word of text.split(/(?<= )/)) {
      await new Promise(resolve => setTimeout(resolve, 50))
      yield { type: 'text', text: word }
    }
  },
}

const sqlite = createSqliteStore({ filename: join(folder, 'store.db') })
const store: typeof sqlite = {
  ...sqlite,
  conversations: {
    ...sqlite.conversations,
    async append(write) {
      const result = await sqlite.conversations.append(write)
      const { heard } = write.state
      if (result.status === 'appended' && heard?.done === true) tell({ heard: heard.id })
      return result
    },
  },
}

const platform = createPlatform({
  ...{ store, runtime, chunkFlush: 0 },
  // As the guide says for calls.
  ...{ turnLease: 5_000, wakeInterval: 1_000 },
  // Without a bus a process finds what another one has written when it looks: after half of that.
  heartbeatSeconds: 2,
  ...{ log: silentLog, onError: error => process.stderr.write(`${String(error)}\n`) },
})

/** The first server of a store makes the agent. */
async function furnish() {
  const { access, agents } = platform
  const { id: accountId } = await access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const { id: agentId } = await agents.create({ accountId, name: 'Front desk', greeting: 'Welcome.' })
  await agents.publish(agentId, { environment: 'live' })
  const agent = { accountId, agentId, environment: 'live' } as const
  const connector = await access.createConnector({ ...agent, hosts: ['phone.example'] })
  return { connectorToken: connector.token, accountId, agentId }
}

const furnished = token === '' ? await furnish() : { connectorToken: token }
const { connectorToken } = furnished
const server = createServer((incoming, outgoing) => void answerWith(handle, incoming, outgoing))
const voice = attachTwilioVoice(server, platform, {
  ...{ transcriber: loudnessTranscriber, speaker: levelSpeaker },
  ...{ connectorToken, host: 'phone.example', authToken: TOKEN, url: URL_OF_STREAM },
})
const handle = createTwilioHandler({ platform, authToken: TOKEN, url: URL_OF_TWILIO, voice })
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
const address = server.address()
const port = typeof address === 'object' ? address?.port : 0
tell({ port, ...furnished })
// Asked to go, it hands over at once.
process.on('SIGTERM', async () => {
  await voice.close()
  await platform.close()
  process.exit(0)
})
