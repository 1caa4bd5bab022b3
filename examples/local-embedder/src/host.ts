import { createPlatform, type Embedder, type Log } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { TOPICS } from './front-desk.ts'

/** A platform with the front desk in its sandbox, and a way to ask it; without an embedder it goes by words alone. */
export async function openFrontDesk(embedder: Embedder | null, log: Log) {
  // Whoever tries it out waits for the model, however busy the machine is.
  const embedding = { questionTimeout: 60_000 }
  const runtime = createRetrievalRuntime({ embedder, embedding, log })
  const platform = createPlatform({ store: createMemoryStore(), runtime, log })
  const account = await platform.access.createAccount({ slug: 'example', name: 'Example' })
  const agent = await platform.agents.create({
    accountId: account.id,
    name: 'Front desk',
    greeting: 'Welcome!',
  })
  const branch = await platform.agents.createBranch(agent.id, { branchName: 'topics' })
  for (const { name, content, queries } of TOPICS) {
    await platform.agents.createTopic(agent.id, branch.id, { name, content, exampleQueries: [...queries] })
  }
  await platform.agents.merge(agent.id, branch.id)
  return {
    platform,
    /** A conversation of its own with the front desk. */
    async ask(question: string) {
      const chat = await platform.debugChat.start(agent, { environment: 'sandbox' })
      const { turn } = await platform.debugChat.send(agent, chat.state.id, {
        environment: 'sandbox',
        message: question,
      })
      return turn.record.agent_response
    },
  }
}
