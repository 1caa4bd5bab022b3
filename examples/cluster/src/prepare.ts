import { createPlatform } from '@colloquy/core'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { openStore } from './database.ts'

/** Credentials that clients need to begin. */
export interface Credentials {
  /** Token of a connector for pages of `localhost`. */
  readonly connectorToken: string
  /** A key for the desk. */
  readonly deskKey: string
}

/** Before there are nodes: an account with an agent that is live. Null when the store has it already. */
export async function prepare(database: string): Promise<Credentials | null> {
  const store = await openStore(database)
  const platform = createPlatform({ store, runtime: createRetrievalRuntime(), workers: false })
  try {
    const { access, agents } = platform
    if ((await access.account('hotel')) !== null) return null
    const { id: accountId } = await access.createAccount({ slug: 'hotel', name: 'The hotel' })
    const agent = await agents.create({ accountId, name: 'Front desk', greeting: 'Welcome.' })
    const { agentId, environment } = await agents.publish(agent.id, { environment: 'live' })
    const connector = { accountId, agentId, environment, hosts: ['localhost'] }
    const { token } = await access.createConnector({ ...connector, handoff: { mode: 'server' } })
    const { secret } = await access.createApiKey({ kind: 'desk', accountId })
    return { connectorToken: token, deskKey: secret }
  } finally {
    await platform.close()
  }
}
