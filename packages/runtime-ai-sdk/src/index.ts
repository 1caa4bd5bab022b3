export { createAiSdkAssistant } from './ai-sdk-assistant.ts'
export { type AiSdkGuardOptions, createAiSdkGuard } from './ai-sdk-guard.ts'
export { type AiSdkRedactorOptions, createAiSdkRedactor } from './ai-sdk-redactor.ts'
export { createAiSdkRuntime } from './ai-sdk-runtime.ts'
export {
  type AiSdkTesterOptions,
  createAiSdkJudge,
  createAiSdkReplayJudge,
  createAiSdkVisitor,
} from './ai-sdk-testers.ts'
export type { AskOptions } from './ask-text.ts'
export type { AiSdkAssistantOptions } from './assistant-options.ts'
export type { AiSdkRuntimeOptions } from './options.ts'
