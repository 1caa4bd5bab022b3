import type { Platform } from '@colloquy/core'
import type { AgentRuntime } from '@colloquy/core/runtime'

/** Answers at once, so that the platform's own cost is what is left. */
export const echo: AgentRuntime = {
  async *respond({ input }) {
    yield { type: 'text', text: input.type === 'message' ? `You said ${input.text}.` : 'Welcome.' }
  },
}

/** Makes an account with a live agent, to whom visitors come from pages of localhost with this token. */
export async function furnish({ access, agents }: Pick<Platform, 'access' | 'agents'>) {
  const { id: accountId } = await access.createAccount({ slug: 'bench', name: 'Bench' })
  const agent = await agents.create({ accountId, name: 'Echo', greeting: 'Welcome.' })
  await agents.publish(agent.id, { environment: 'live' })
  const whose = { accountId, agentId: agent.id, environment: 'live' } as const
  const { token } = await access.createConnector({ ...whose, hosts: ['localhost'] })
  return { agent, token }
}

/** Lets visitors in with a connector's token; each call opens a session. */
export async function admit({ messaging }: Pick<Platform, 'messaging'>, connectorToken: string) {
  const asked = { connectorToken, host: 'localhost', remoteAddress: '127.0.0.1' }
  const { accessToken } = await messaging.issueAccessToken(asked)
  const authorization = `Bearer ${accessToken}`
  return async () => {
    const { sessionId } = await messaging.createSession({ authorization, streaming: false })
    return { sessionId, accessToken, query: `?session_id=${sessionId}&access_token=${accessToken}` }
  }
}
