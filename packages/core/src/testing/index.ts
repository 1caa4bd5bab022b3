export { testAccessStore } from './contract/access-store.ts'
export { testAgentStore } from './contract/agent-store.ts'
export { testConversationStore } from './contract/conversation-store.ts'
export { testStore } from './contract/store.ts'
export type { StoreFactory } from './contract/tools.ts'
export { createFakeClock, type FakeClock } from './fake-clock.ts'
export {
  ACCOUNT,
  AGENT,
  type AgentFixture,
  type AppendFixture,
  aBranch,
  aCommit,
  aConnector,
  aConversation,
  aDeployment,
  anAccount,
  anAgent,
  anApiKey,
  anAppend,
  anEvent,
  aRemoval,
  aRevision,
  aState,
  aTopic,
  aTurn,
  type ConversationFixture,
  START,
} from './fixtures.ts'
export {
  createScriptedRuntime,
  type Script,
  type ScriptedReply,
  type ScriptedRuntime,
  type ScriptedStep,
  type ScriptedSteps,
} from './scripted-runtime.ts'
export { createSequentialIds } from './sequential-ids.ts'
