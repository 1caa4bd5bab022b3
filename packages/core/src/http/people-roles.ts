import type { Role } from '../domain/access/person.ts'
import type { Operation } from './route.ts'

/** The operations of the routes that serve people only. */
export type PeopleOperation =
  | 'readMe'
  | 'watchHandoffs'
  | 'eraseConversation'
  | 'previewMerge'
  | 'previewPublish'
  | 'readHealth'
  | 'readUnanswered'
  | 'listNewest'
  | 'readTranscript'
  | 'writeConversationNote'
  | 'readHandoffFile'
  | 'readConversationFile'
  | 'readRetention'
  | 'purgeConversations'
  | 'readVisitor'
  | 'exportVisitor'
  | 'removeVisitor'
  | 'listViews'
  | 'saveView'
  | 'deleteView'
  | 'startReplay'
  | 'listReplays'
  | 'readReplay'
  | 'listReplayTurns'
  | 'acceptReplayGroup'

/**
 * The role that each operation takes; `anyone`: every person; null: no person, because a visitor or a program of the
 * host's does it (PE3).
 */
export const OPERATION_ROLES: Readonly<Record<Operation | PeopleOperation, Role | 'anyone' | null>> = {
  readMe: 'anyone',

  listAgents: 'reader',
  createAgent: 'author',
  readAgent: 'reader',
  updateAgent: 'author',
  deleteAgent: 'operator',
  duplicateAgent: 'author',
  listBranches: 'reader',
  createBranch: 'author',
  readBranch: 'reader',
  deleteBranch: 'author',
  diffBranch: 'reader',
  previewMerge: 'reader',
  previewPublish: 'reader',
  mergeBranch: 'releaser',
  readBehavior: 'reader',
  updateBehavior: 'author',
  readResponseSettings: 'reader',
  updateResponseSettings: 'author',
  listTopics: 'reader',
  createTopic: 'author',
  readTopic: 'reader',
  updateTopic: 'author',
  deleteTopic: 'author',
  listAttributes: 'reader',
  createAttribute: 'author',
  readAttribute: 'reader',
  updateAttribute: 'author',
  deleteAttribute: 'author',
  listVariants: 'reader',
  createVariant: 'author',
  readVariant: 'reader',
  updateVariant: 'author',
  deleteVariant: 'author',
  listDeployments: 'reader',
  listActiveDeployments: 'reader',
  compareDeployments: 'reader',
  publishDeployment: 'releaser',
  promoteDeployment: 'releaser',
  rollbackDeployment: 'releaser',
  listRollouts: 'reader',
  startRollout: 'releaser',
  readRollout: 'reader',
  updateRollout: 'releaser',
  endRollout: 'releaser',
  // They take effect in an environment at once, like a deployment.
  listRealTimeConfigs: 'reader',
  readRealTimeConfig: 'reader',
  replaceRealTimeConfigSchema: 'releaser',
  updateRealTimeConfigVariables: 'releaser',
  listTelephonyConnectors: 'reader',
  readTelephonyConnector: 'reader',
  updateTelephonyConnector: 'operator',
  deleteTelephonyConnector: 'operator',
  findTelephonyConnectors: 'reader',
  updateTelephonyConnectors: 'operator',
  findTelephonyConnector: 'reader',
  listPhoneNumbers: 'reader',
  importPhoneNumbers: 'operator',
  deletePhoneNumbers: 'operator',
  findPhoneNumbers: 'reader',
  readPhoneNumber: 'reader',
  importPhoneNumber: 'operator',
  updatePhoneNumber: 'operator',
  deletePhoneNumber: 'operator',
  listVoices: 'reader',
  createVoice: 'operator',
  readVoice: 'reader',
  updateVoice: 'operator',
  readVoiceSample: 'reader',
  listCachedAudio: 'reader',
  deleteCachedAudio: 'operator',
  bulkDeleteCachedAudio: 'operator',
  readCachedAudioFile: 'reader',
  updateCachedAudioFile: 'operator',
  replaceCachedAudioDetails: 'operator',
  synthesizeCachedAudio: 'operator',
  placeOutboundCall: 'operator',
  readOutboundCall: 'reader',
  listTestCases: 'reader',
  createTestCase: 'author',
  readTestCase: 'reader',
  updateTestCase: 'author',
  deleteTestCase: 'author',
  listTestRuns: 'reader',
  startTestRun: 'author',
  readTestRun: 'reader',
  listTestingRuns: 'reader',
  triggerTestRun: 'author',
  readTestingRun: 'reader',
  listTestHistory: 'reader',
  startReplay: 'author',
  listReplays: 'reader',
  readReplay: 'reader',
  listReplayTurns: 'reader',
  // Like a release, it stands in the audit log.
  acceptReplayGroup: 'releaser',
  startDebugChat: 'author',
  continueDebugChat: 'author',
  readDebugChat: 'reader',

  listAgentConversations: 'reader',
  readAgentConversation: 'reader',
  readAgentConversationAudio: 'reader',
  listConversationsV1: 'reader',
  listConversations: 'reader',
  readConversation: 'reader',
  readConcurrency: 'reader',
  readHandoffState: 'reader',
  readHealth: 'reader',
  readUnanswered: 'reader',
  listNewest: 'reader',
  readTranscript: 'reader',
  eraseConversation: 'operator',
  readRetention: 'operator',
  purgeConversations: 'operator',
  readVisitor: 'operator',
  exportVisitor: 'operator',
  removeVisitor: 'operator',
  // They change what others read in no way, and the audit log names who did it.
  listViews: 'reader',
  saveView: 'reader',
  deleteView: 'reader',

  watchHandoffs: 'desk',
  updateColleague: 'desk',
  listHandoffs: 'desk',
  readHandoff: 'desk',
  readHandoffVisitor: 'desk',
  summarizeHandoff: 'desk',
  suggestReplies: 'desk',
  acceptHandoff: 'desk',
  showHandoffTyping: 'desk',
  sendHandoffMessage: 'desk',
  uploadHandoffFile: 'desk',
  readHandoffFileAddress: 'desk',
  readConversationFileAddress: 'reader',
  readHandoffFile: 'desk',
  readConversationFile: 'reader',
  listHandoffNotes: 'desk',
  writeHandoffNote: 'desk',
  writeConversationNote: 'desk',
  listDeskQueues: 'desk',
  listQueueAssignments: 'desk',
  readDeskFigures: 'operator',
  replaceQueueAssignment: 'operator',
  deleteQueueAssignment: 'operator',
  replaceQueueHours: 'operator',
  deleteQueueHours: 'operator',
  listHandoffReplies: 'desk',
  listSharedReplies: 'desk',
  createSharedReply: 'operator',
  updateSharedReply: 'operator',
  deleteSharedReply: 'operator',
  leaveHandoff: 'desk',
  returnHandoff: 'desk',
  transferHandoff: 'desk',
  listColleagues: 'desk',
  rejectHandoff: 'desk',

  createWebhookEndpoint: 'operator',
  listWebhookEndpoints: 'operator',
  readWebhookEndpoint: 'operator',
  updateWebhookEndpoint: 'operator',
  deleteWebhookEndpoint: 'operator',
  rotateWebhookSecret: 'operator',
  testWebhookEndpoint: 'operator',
  listWebhookDeliveries: 'operator',
  readWebhookDelivery: 'operator',
  resendWebhookDelivery: 'operator',

  createAlertRule: 'operator',
  listAlertRules: 'reader',
  readAlertRule: 'reader',
  updateAlertRule: 'operator',
  deleteAlertRule: 'operator',
  listAlerts: 'reader',

  createAccount: 'operator',
  listAccounts: 'operator',
  createApiKey: 'operator',
  listApiKeys: 'operator',
  revokeApiKey: 'operator',
  createConnector: 'operator',
  listConnectors: 'operator',
  readConnector: 'operator',
  updateConnector: 'operator',
  revokeConnector: 'operator',
  rotateContextKeys: 'operator',
  revokeContextKeys: 'operator',
  createTelephonyConnector: 'operator',
  givePhoneNumbers: 'operator',
  listGivenPhoneNumbers: 'operator',
  revokePhoneNumber: 'operator',
  addPooledNumbers: 'operator',
  listPooledNumbers: 'operator',
  deletePooledNumber: 'operator',
  listTokenKeys: 'operator',
  rotateTokenKeys: 'operator',
  listAuditLog: 'operator',

  createChat: null,
  respondToChat: null,
  closeChat: null,
  listChatReplies: null,
  sendText: null,
  startOutboundCall: null,
  readOutboundCallStatus: null,
  reserveNumber: null,
  issueAccessToken: null,
  createSession: null,
  streamEvents: null,
  postEvents: null,
  rateSession: null,
  uploadFile: null,
  readFileAddress: null,
  readFile: null,
  receiveExternalEvent: null,
}

const BY_OPERATION: ReadonlyMap<string, Role | 'anyone' | null> = new Map(Object.entries(OPERATION_ROLES))

/** Returns the role that an operation takes. One that the table does not name is open to no person. */
export const roleOf = (operation: string): Role | 'anyone' | null => BY_OPERATION.get(operation) ?? null
