export {
  type AppendFixture,
  aConversation,
  anAppend,
  anEvent,
  aRuntimeTurn,
  aState,
  aTurn,
  type ConversationFixture,
} from './conversation-fixtures.ts'
export { createFakeClock, type FakeClock } from './fake-clock.ts'
export { createFieldClient, type FieldClient, type FieldEvent } from './field-client.ts'
export {
  ACCOUNT,
  AGENT,
  type AgentFixture,
  aBranch,
  aCachedAudio,
  aCommit,
  aConnector,
  aCount,
  aDeployment,
  aFile,
  aNewEndpoint,
  anAccount,
  anAgent,
  anAlertRule,
  anApiKey,
  anAuditEntry,
  anEndpoint,
  anOutboundCall,
  aPhoneNumber,
  aPooledNumber,
  aRealTimeConfig,
  aRemoval,
  aRevision,
  aRollout,
  aTelephonyConnector,
  aTestCase,
  aTestResult,
  aTestRun,
  aTextPair,
  aTopic,
  aVoice,
  aWebhookEvent,
  START,
} from './fixtures.ts'
export { A_PICTURE, createMemoryFiles, type MemoryFiles } from './memory-files.ts'
export { type AssistantScript, createScriptedAssistant } from './scripted-assistant.ts'
export {
  type CallStep,
  createScriptedCallProvider,
  type ScriptedCallProvider,
  type StandingStep,
  type TakenCall,
} from './scripted-call-provider.ts'
export {
  type CarrierStep,
  createScriptedCarrier,
  type ScriptedCarrier,
  type TakenText,
} from './scripted-carrier.ts'
export {
  createScriptedRuntime,
  type Script,
  type ScriptedReply,
  type ScriptedRuntime,
  type ScriptedStep,
  type ScriptedSteps,
} from './scripted-runtime.ts'
export {
  createScriptedSpeech,
  SCRIPTED_VOICES,
  type ScriptedSpeech,
  type SpeechStep,
} from './scripted-speech.ts'
export { createSequentialIds } from './sequential-ids.ts'
export {
  batchEvents,
  connectSocketPair,
  isRefusal,
  openSocketPair,
  type ReceivedEvent,
  type SocketPair,
} from './socket-pair.ts'
