import { AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages'
import { FakeListChatModel } from '@langchain/core/utils/testing'
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import { ANSWER, earlier, SYSTEM, WINDOW } from './shared.mjs'

export async function open(folder) {
  const saver = SqliteSaver.fromConnString(`${folder}/chat.db`)
  saver.setup()
  saver.db.pragma('synchronous = FULL')
  const system = new SystemMessage(SYSTEM)
  const model = new FakeListChatModel({ responses: [ANSWER] })
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('desk', async ({ messages }) => ({
      messages: [await model.invoke([system, ...messages.slice(-WINDOW)])],
    }))
    .addEdge(START, 'desk')
    .addEdge('desk', END)
    .compile({ checkpointer: saver })
  const of = id => ({ configurable: { thread_id: id }, durability: 'sync' })
  return {
    turn: async (id, text) =>
      (await graph.invoke({ messages: [new HumanMessage(text)] }, of(id))).messages.at(-1).text,
    async seed(id, lines) {
      const messages = earlier(lines).map(({ role, text }) =>
        role === 'user' ? new HumanMessage(text) : new AIMessage(text),
      )
      await graph.updateState(of(id), { messages }, 'desk')
      return id
    },
    close: () => saver.db.close(),
  }
}
