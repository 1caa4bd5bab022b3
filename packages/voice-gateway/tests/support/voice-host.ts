import { createServer } from 'node:http'
import { createPlatform, type PlatformOptions } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { listenOn } from '@colloquy/test-support/messaging-host'
import { attachMessaging } from '@colloquy/ws-transport'
import { onTestFinished } from 'vitest'
import { attachVoice, type VoiceSocketOptions } from '../../src/index.ts'
import { createScriptedSpeaker, createScriptedTranscriber } from '../../src/testing/index.ts'
import { createVoiceClient } from './voice-client.ts'

/** Options of a host whose visitors speak. */
export interface VoiceHostOptions {
  readonly runtime: PlatformOptions['runtime']
  readonly platform?: Partial<PlatformOptions>
  readonly voice?: Partial<VoiceSocketOptions>
  readonly partials?: boolean
  /** @default to the queue of a live-agent system */
  readonly handoff?: { readonly mode: 'client' }
  /** What the agent knows, by name. */
  readonly topics?: Readonly<Record<string, string>>
}

/** A platform on a real server, with voice beside its sockets, and an agent that is live. */
export async function startVoiceHost(options: VoiceHostOptions) {
  const { handoff, partials = false, platform: given, runtime, topics = {}, voice } = options
  const errors: unknown[] = []
  const platform = createPlatform({
    ...{
      store: createMemoryStore(),
      runtime,
      chunkFlush: 0,
      onError: (error: unknown) => errors.push(error),
    },
    ...given,
  })
  const { access, agents, messaging } = platform
  const { id: accountId } = await access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const { id: agentId } = await agents.create({ accountId, name: 'Front desk', greeting: 'Welcome.' })
  const branch = await agents.createBranch(agentId, { branchName: 'topics' })
  for (const [name, content] of Object.entries(topics))
    await agents.createTopic(agentId, branch.id, { name, content })
  if (Object.keys(topics).length > 0) await agents.merge(agentId, branch.id)
  await agents.publish(agentId, { environment: 'live' })
  const { token } = await access.createConnector({
    ...{ accountId, agentId, environment: 'live', hosts: ['localhost'] },
    handoff: handoff ?? { mode: 'server', queueName: 'reception', timeoutSeconds: 300 },
  })
  const transcriber = createScriptedTranscriber({ partials })
  const speaker = createScriptedSpeaker()
  const server = createServer()
  const chat = attachMessaging(server, platform)
  const calls = attachVoice(server, platform, { transcriber, speaker, ...voice })
  const port = await listenOn(server)
  onTestFinished(async () => {
    await calls.close()
    await chat.close()
    server.close()
    server.closeAllConnections()
    await platform.close()
  })
  return {
    ...{ platform, accountId, agentId, token, transcriber, speaker, errors, port, calls },
    /** A session of a visitor of another account. */
    async neighbour(slug = 'inn') {
      const { id } = await access.createAccount({ slug, name: slug })
      const theirs = await agents.create({ accountId: id, name: slug, greeting: 'Welcome.' })
      await agents.publish(theirs.id, { environment: 'live' })
      const agent = { accountId: id, agentId: theirs.id, environment: 'live' } as const
      const { token: connectorToken } = await access.createConnector({ ...agent, hosts: ['localhost'] })
      return this.visitor({ connectorToken })
    },
    /** A session of a visitor, and clients for it. */
    async visitor({ connectorToken = token, streaming = true } = {}) {
      const { accessToken } = await messaging.issueAccessToken({
        ...{ connectorToken, host: 'http://localhost', remoteAddress: '127.0.0.1' },
      })
      const { sessionId } = await messaging.createSession({
        authorization: `Bearer ${accessToken}`,
        streaming,
      })
      const query = `session_id=${sessionId}&access_token=${accessToken}`
      return {
        accessToken,
        sessionId,
        client: () => createVoiceClient(`ws://127.0.0.1:${port}/voice?${query}`),
        textUrl: `ws://127.0.0.1:${port}/ws?${query}&cursor=0`,
      }
    },
  }
}
