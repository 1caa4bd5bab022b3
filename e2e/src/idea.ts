import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform } from '@colloquy/core'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'

const store = createSqliteStore({ filename: process.env.DATABASE ?? 'colloquy.db' })
const { access, agents, debugChat } = createPlatform({ store, runtime: createRetrievalRuntime() })
const { id: accountId } = await access.createAccount({ slug: 'hotel', name: 'The hotel' })
const agent = await agents.create({ accountId, name: 'Front desk', greeting: 'Welcome!' })

const branch = await agents.createBranch(agent.id, { branchName: 'breakfast' })
await agents.createTopic(agent.id, branch.id, { name: 'Breakfast', content: 'Breakfast is from 7 to 10.' })
const { deployment } = await agents.merge(agent.id, branch.id) // in the sandbox from here on

const { state } = await debugChat.start(agent, { environment: 'sandbox' })
const { turn } = await debugChat.send(agent, state.id, { environment: 'sandbox', message: 'Breakfast?' })
console.log(turn.record.agent_response)

const tried = await agents.promote(agent.id, deployment.id) // in pre-release
await agents.promote(agent.id, tried.id) // live
