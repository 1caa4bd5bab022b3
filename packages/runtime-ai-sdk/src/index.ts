export { createAiSdkAssistant } from './ai-sdk-assistant.ts'
export { createAiSdkRuntime } from './ai-sdk-runtime.ts'
export type { AiSdkAssistantOptions } from './assistant-options.ts'
export type { AiSdkRuntimeOptions } from './options.ts'
