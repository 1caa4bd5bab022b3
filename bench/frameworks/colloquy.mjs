import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform } from '@colloquy/core'
import { ANSWER, earlier, SYSTEM } from './shared.mjs'

const fixed = {
  async *respond({ input }) {
    yield { type: 'text', text: input.type === 'greeting' ? 'Welcome.' : ANSWER }
  },
}

/** A platform whose agent is live, and the connector of its chat. */
async function setUp(platform, token) {
  const { id: accountId } = await platform.access.createAccount({ slug: 'bench', name: 'Bench' })
  const agent = await platform.agents.create({ accountId, name: 'Desk', greeting: 'Welcome.' })
  const branch = await platform.agents.createBranch(agent.id, { branchName: 'content' })
  await platform.agents.updateBehavior(agent.id, branch.id, SYSTEM)
  await platform.agents.merge(agent.id, branch.id)
  const { sandbox } = await platform.agents.activeDeployments(agent.id)
  await platform.agents.promote(agent.id, sandbox.id, { targetEnvironment: 'live' })
  await platform.access.createConnector({
    ...{ accountId, agentId: agent.id, environment: 'live', hosts: ['localhost'], token },
  })
}

/** Its store syncs with `synchronous=FULL` by itself. */
export async function open(folder, runtime = fixed) {
  const store = createSqliteStore({ filename: `${folder}/chat.db` })
  const platform = createPlatform({ store, runtime, rateLimits: null })
  const token = 'connector-token-for-the-bench-of-frameworks'
  if ((await platform.access.connectorByToken(token)) === null) await setUp(platform, token)
  const connector = await platform.access.connectorByToken(token)
  const turn = async (conversationId, message) =>
    (await platform.chat.respond(connector, { conversationId, message })).response
  return {
    turn,
    /** Earlier lines are turns: there is no other way for them into a conversation. */
    async seed(_, lines) {
      const { conversationId } = await platform.chat.create(connector, {})
      for (const { role, text } of earlier(lines)) if (role === 'user') await turn(conversationId, text)
      return conversationId
    },
    close: () => platform.close(),
  }
}
