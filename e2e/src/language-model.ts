import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, defineFunction } from '@colloquy/core'
import { createAiSdkRuntime } from '@colloquy/runtime-ai-sdk'
import { z } from 'zod'

const { LLM_BASE_URL = 'http://127.0.0.1:11434/v1', LLM_MODEL = 'qwen3', LLM_API_KEY = 'none' } = process.env
const provider = createOpenAICompatible({
  name: 'mine',
  baseURL: LLM_BASE_URL,
  apiKey: LLM_API_KEY,
  includeUsage: true,
})

const platform = createPlatform({
  store: createSqliteStore({ filename: ':memory:' }),
  runtime: createAiSdkRuntime({ model: provider(LLM_MODEL) }),
  functions: {
    room_price: defineFunction({
      description: 'Tells what a room costs.',
      parameters: z.object({ nights: z.int() }),
      execute: (_conversation, { nights }) => ({ pounds: nights * 90 }),
    }),
  },
})

const account = await platform.access.createAccount({ slug: 'hotel', name: 'The hotel' })
const agent = await platform.agents.create({ accountId: account.id, name: 'Desk', greeting: 'Welcome!' })
const branch = await platform.agents.createBranch(agent.id, { branchName: 'first content' })
await platform.agents.updateBehavior(
  agent.id,
  branch.id,
  'You are the front desk of a small hotel. Be brief.',
)
await platform.agents.createTopic(agent.id, branch.id, {
  name: 'Rooms',
  content: 'All rooms look out to the harbour.',
  actions: 'Asked for a price, use {{fn:room_price}}.',
})
await platform.agents.merge(agent.id, branch.id)

const chat = await platform.debugChat.start(agent, { environment: 'sandbox' })
const question = { environment: 'sandbox', message: 'What do two nights in a room cost?' } as const
const { turn } = await platform.debugChat.send(agent, chat.state.id, question)
console.log(turn.record.agent_response)
console.log(JSON.stringify(turn.details.llm_requests))
await platform.close()
