import { Agent } from '@mastra/core/agent'
import { Mastra } from '@mastra/core/mastra'
import { LibSQLStore } from '@mastra/libsql'
import { Memory } from '@mastra/memory'
import { earlier, model, SYSTEM, WINDOW } from './shared.mjs'

/** Its memory holds lines and nothing else: no recall by meaning, no working memory, no titles. */
export async function open(folder) {
  const storage = new LibSQLStore({ id: 'bench', url: `file:${folder}/chat.db` })
  await storage.init()
  const options = { lastMessages: WINDOW, semanticRecall: false, workingMemory: { enabled: false } }
  const memory = new Memory({ storage, options: { ...options, generateTitle: false } })
  const agent = new Agent({ id: 'desk', name: 'desk', instructions: SYSTEM, model, memory })
  new Mastra({ agents: { desk: agent }, storage, logger: false })
  await storage.client.execute('PRAGMA synchronous=FULL')
  return {
    turn: async (id, text) => (await agent.generate(text, { memory: { thread: id, resource: id } })).text,
    async seed(id, lines) {
      await memory.createThread({ threadId: id, resourceId: id })
      const messages = earlier(lines).map(({ role, text }, at) => ({
        ...{ id: `${id}-${at}`, threadId: id, resourceId: id, role, type: 'text' },
        createdAt: new Date(Date.now() - (lines - at) * 1_000),
        content: { format: 2, parts: [{ type: 'text', text }], content: text },
      }))
      await memory.saveMessages({ messages })
      return id
    },
    close: () => storage.close?.(),
  }
}
