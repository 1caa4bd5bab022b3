export { type BusEnd, type BusFactory, CHANNEL_SECRET, testBus } from './bus.ts'
export {
  type AskedProviderUnderTest,
  type CallFault,
  type CallProviderFactory,
  type CallProviderUnderTest,
  testCallProvider,
} from './call-provider.ts'
export { type IntervalRow, intervalRows } from './interval-rows.ts'
export { type LimitsEnd, type LimitsFactory, testLimits } from './limits.ts'
export type { RuntimeTask, RuntimeUnderTest } from './runtime/agent.ts'
export { testRuntime } from './runtime/test-runtime.ts'
export { type SpeechFactory, type SpeechUnderTest, testSpeechProvider } from './speech-provider.ts'
export { testAccessStore } from './store/access-store.ts'
export { testAgentStore } from './store/agent-store.ts'
export { testAlertStore } from './store/alert-store.ts'
export { testAuditStore } from './store/audit-store.ts'
export { testConversationStore } from './store/conversation-store.ts'
export { type CopyFactory, testCopies } from './store/copies.ts'
export { type OpenDocuments, testDocuments } from './store/documents.ts'
export { fillStore, fillWithTexts } from './store/filled-store.ts'
export { testStore } from './store/store.ts'
export type { StoreFactory } from './store/tools.ts'
export { testWebhookStore } from './store/webhook-store.ts'
export {
  type CarrierFactory,
  type CarrierFault,
  type CarrierUnderTest,
  testTextCarrier,
} from './text-carrier.ts'
