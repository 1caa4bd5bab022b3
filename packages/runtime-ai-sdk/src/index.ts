export { createAiSdkRuntime } from './ai-sdk-runtime.ts'
export type { AiSdkRuntimeOptions } from './options.ts'
