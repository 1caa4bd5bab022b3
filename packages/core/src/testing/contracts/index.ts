export { fillStore, fillWithTexts } from '../filled-store.ts'
export { type BusEnd, type BusFactory, CHANNEL_SECRET, testBus } from './bus.ts'
export {
  type AskedProviderUnderTest,
  type CallFault,
  type CallProviderFactory,
  type CallProviderUnderTest,
  testCallProvider,
} from './call-provider.ts'
export { type AssistantFactory, type AssistantUnderTest, testDeskAssistant } from './desk-assistant.ts'
export { type FilesFactory, type FilesUnderTest, testFiles } from './files.ts'
export { type IntervalRow, intervalRows } from './interval-rows.ts'
export { type LimitsEnd, type LimitsFactory, testLimits } from './limits.ts'
export type { RuntimeTask, RuntimeUnderTest } from './runtime/agent.ts'
export { testRuntime } from './runtime/test-runtime.ts'
export { type SpeechFactory, type SpeechUnderTest, testSpeechProvider } from './speech-provider.ts'
export { testDocuments } from './store/port/documents.ts'
export { type CopyFactory, testCopies } from './store/rules/copies.ts'
export { testStore } from './store/rules/store.ts'
export type { DocumentsFactory, StoreFactory } from './store/tools.ts'
export {
  type CarrierFactory,
  type CarrierFault,
  type CarrierUnderTest,
  testTextCarrier,
} from './text-carrier.ts'
