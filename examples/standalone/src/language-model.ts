import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { DeskAssistant, Log } from '@colloquy/core'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { createAiSdkAssistant, createAiSdkRuntime } from '@colloquy/runtime-ai-sdk'
import type { LanguageModelSettings } from './settings.ts'

/** A language model as the agent of the server, and as the assistant of its live agents. */
export interface ModelParts {
  readonly runtime: AgentRuntime
  readonly deskAssistant: DeskAssistant
}

/** Makes both of one language model. What the AI SDK has to warn of goes to the log. */
export function createModelParts(settings: LanguageModelSettings, log: Log): ModelParts {
  const { baseUrl: baseURL, model: name, apiKey } = settings
  // Standard output is for programs, and the AI SDK would write there.
  globalThis.AI_SDK_LOG_WARNINGS = ({ warnings }) => log.warn('The language model warns', { warnings })
  const provider = createOpenAICompatible({ name: 'llm', baseURL, apiKey, includeUsage: true })
  const model = provider(name)
  return { runtime: createAiSdkRuntime({ model }), deskAssistant: createAiSdkAssistant({ model }) }
}
