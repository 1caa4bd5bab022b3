import { Agent, Memory } from '@voltagent/core'
import { LibSQLMemoryAdapter } from '@voltagent/libsql'
import { createPinoLogger } from '@voltagent/logger'
import { earlier, model, SYSTEM, WINDOW } from './shared.mjs'

export async function open(folder) {
  const storage = new LibSQLMemoryAdapter({ url: `file:${folder}/chat.db` })
  // Its first use makes the tables.
  await storage.getConversation('none')
  const agent = new Agent({
    ...{ name: 'desk', instructions: SYSTEM, model, memory: new Memory({ storage }) },
    ...{ conversationPersistence: { mode: 'finish' }, logger: createPinoLogger({ level: 'silent' }) },
  })
  await storage.client.execute('PRAGMA synchronous=FULL')
  return {
    async turn(id, text) {
      const { text: answer } = await agent.generateText(text, {
        ...{ userId: id, conversationId: id, contextLimit: WINDOW },
      })
      // It resolves before the visitor's line is on disk.
      await new Promise(resolve => setImmediate(resolve))
      return answer
    },
    async seed(id, lines) {
      await storage.createConversation({ id, resourceId: 'desk', userId: id, title: '', metadata: {} })
      const messages = earlier(lines).map(({ role, text }, at) => ({
        ...{ id: `${id}-${at}`, role, parts: [{ type: 'text', text }] },
        metadata: { createdAt: new Date(Date.now() - (lines - at) * 1_000).toISOString() },
      }))
      await storage.addMessages(messages, id, id)
      return id
    },
    close: () => storage.client.close(),
  }
}
