import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { Log } from '@colloquy/core'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { createAiSdkRuntime } from '@colloquy/runtime-ai-sdk'
import type { LanguageModelSettings } from './settings.ts'

/** A language model as the agent of the server. What the AI SDK has to warn of goes to the log. */
export function createLanguageModelRuntime(settings: LanguageModelSettings, log: Log): AgentRuntime {
  const { baseUrl: baseURL, model, apiKey } = settings
  // Standard output is for programs, and the AI SDK would write there.
  globalThis.AI_SDK_LOG_WARNINGS = ({ warnings }) => log.warn('The language model warns', { warnings })
  const provider = createOpenAICompatible({ name: 'llm', baseURL, apiKey, includeUsage: true })
  return createAiSdkRuntime({ model: provider(model) })
}
