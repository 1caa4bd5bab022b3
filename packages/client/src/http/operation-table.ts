// Made from packages/core/openapi.json by `npm run document`.

/**
 * Id and path below the server of each call, by credential and method; then `-` where it answers nothing, or a type
 * that is not JSON.
 */
export const OPERATIONS = {
  workspaceKey: {
    GET: `compareDeployments v1/agents/:agentId/deployments/:deploymentId/diff/:otherId
diffBranch v1/agents/:agentId/branches/:branchId/diff
listActiveDeployments v1/agents/:agentId/deployments/active
listAgentConversations v1/agents/:agentId/conversations
listAgents v1/accounts/:accountId/agents
listAlertRules v1/alert-rules
listAlerts v1/alerts
listAttributes v1/agents/:agentId/branches/:branchId/attributes
listBranches v1/agents/:agentId/branches
listDeployments v1/agents/:agentId/deployments
listRealTimeConfigs v1/agents/:agentId/real-time-configs
listTelephonyConnectors v1/agents/:agentId/telephony/connectors
listTestCases v1/agents/:agentId/branches/:branchId/test-cases
listTestRuns v1/agents/:agentId/test-runs
listTopics v1/agents/:agentId/branches/:branchId/knowledge-base/topics
listVariants v1/agents/:agentId/branches/:branchId/variants
listWebhookDeliveries v1/webhook-endpoints/:id/deliveries
listWebhookEndpoints v1/webhook-endpoints
readAgent v1/agents/:agentId
readAgentConversation v1/agents/:agentId/conversations/:recordId
readAgentConversationAudio v1/agents/:agentId/conversations/:recordId/audio audio/wav
readAlertRule v1/alert-rules/:rule_id
readAttribute v1/agents/:agentId/branches/:branchId/attributes/:attributeId
readBehavior v1/agents/:agentId/branches/:branchId/behavior
readBranch v1/agents/:agentId/branches/:branchId
readDebugChat v1/agents/:agentId/debug-chat/:conversationId
readRealTimeConfig v1/agents/:agentId/real-time-configs/:clientEnv
readResponseSettings v1/agents/:agentId/branches/:branchId/response-settings
readTelephonyConnector v1/agents/:agentId/telephony/connectors/:connectorId
readTestCase v1/agents/:agentId/branches/:branchId/test-cases/:testCaseId
readTestRun v1/agents/:agentId/test-runs/:testRunId
readTopic v1/agents/:agentId/branches/:branchId/knowledge-base/topics/:topicId
readVariant v1/agents/:agentId/branches/:branchId/variants/:variantId
readWebhookEndpoint v1/webhook-endpoints/:id`,
    POST: `continueDebugChat v1/agents/:agentId/debug-chat/:conversationId
createAgent v1/accounts/:accountId/agents
createAlertRule v1/alert-rules
createAttribute v1/agents/:agentId/branches/:branchId/attributes
createBranch v1/agents/:agentId/branches
createTestCase v1/agents/:agentId/branches/:branchId/test-cases
createTopic v1/agents/:agentId/branches/:branchId/knowledge-base/topics
createVariant v1/agents/:agentId/branches/:branchId/variants
createWebhookEndpoint v1/webhook-endpoints
duplicateAgent v1/agents/:agentId/duplicate
mergeBranch v1/agents/:agentId/branches/:branchId/merge
promoteDeployment v1/agents/:agentId/deployments/:deploymentId/promote
publishDeployment v1/agents/:agentId/deployments/publish
resendWebhookDelivery v1/webhook-endpoints/:id/deliveries/:deliveryId/resend
rollbackDeployment v1/agents/:agentId/deployments/:deploymentId/rollback
rotateWebhookSecret v1/webhook-endpoints/:id/rotate-secret
startDebugChat v1/agents/:agentId/debug-chat
startTestRun v1/agents/:agentId/test-runs
testWebhookEndpoint v1/webhook-endpoints/:id/test`,
    DELETE: `deleteAgent v1/agents/:agentId -
deleteAlertRule v1/alert-rules/:rule_id -
deleteAttribute v1/agents/:agentId/branches/:branchId/attributes/:attributeId
deleteBranch v1/agents/:agentId/branches/:branchId
deleteTelephonyConnector v1/agents/:agentId/telephony/connectors/:connectorId
deleteTestCase v1/agents/:agentId/branches/:branchId/test-cases/:testCaseId -
deleteTopic v1/agents/:agentId/branches/:branchId/knowledge-base/topics/:topicId -
deleteVariant v1/agents/:agentId/branches/:branchId/variants/:variantId
deleteWebhookEndpoint v1/webhook-endpoints/:id -`,
    PATCH: `updateAlertRule v1/alert-rules/:rule_id
updateAttribute v1/agents/:agentId/branches/:branchId/attributes/:attributeId
updateBehavior v1/agents/:agentId/branches/:branchId/behavior
updateRealTimeConfigVariables v1/agents/:agentId/real-time-configs/:clientEnv/variables
updateResponseSettings v1/agents/:agentId/branches/:branchId/response-settings
updateTelephonyConnector v1/agents/:agentId/telephony/connectors/:connectorId
updateTestCase v1/agents/:agentId/branches/:branchId/test-cases/:testCaseId -
updateTopic v1/agents/:agentId/branches/:branchId/knowledge-base/topics/:topicId -
updateVariant v1/agents/:agentId/branches/:branchId/variants/:variantId
updateWebhookEndpoint v1/webhook-endpoints/:id`,
    PUT: `replaceRealTimeConfigSchema v1/agents/:agentId/real-time-configs/:clientEnv/schema`,
  },
  'projectKey connectorToken': {
    POST: `createChat v1/:account_id/:project_id/chat/create
respondToChat v1/:account_id/:project_id/chat/respond`,
    PUT: `closeChat v1/:account_id/:project_id/chat/close`,
    GET: `listChatReplies v1/:account_id/:project_id/chat/:conversation_id/replies`,
  },
  projectKey: {
    GET: `listConversations v3/:account_id/:project_id/conversations
listConversationsV1 v1/:account_id/:project_id/conversations
readConcurrency v1/:account_id/:project_id/conversations/concurrency
readConversation v3/:account_id/:project_id/conversations/:conversation_id`,
  },
  externalEventsKey: {
    POST: `receiveExternalEvent v1/external-events/webhook`,
  },
  connectorToken: {
    POST: `issueAccessToken api/v1/access-token`,
  },
  accessToken: {
    POST: `createSession api/v1/sessions`,
  },
  operatorKey: {
    POST: `createAccount operator/v1/accounts
createApiKey operator/v1/api-keys
createConnector operator/v1/connectors
createTelephonyConnector operator/v1/telephony-connectors
rotateContextKeys operator/v1/connectors/:id/context-keys
rotateTokenKeys operator/v1/token-keys/rotate`,
    GET: `listAccounts operator/v1/accounts
listApiKeys operator/v1/api-keys
listAuditLog operator/v1/audit-log
listConnectors operator/v1/connectors
listTokenKeys operator/v1/token-keys
readConnector operator/v1/connectors/:id`,
    DELETE: `revokeApiKey operator/v1/api-keys/:id -
revokeConnector operator/v1/connectors/:id -
revokeContextKeys operator/v1/connectors/:id/context-keys -`,
    PATCH: `updateConnector operator/v1/connectors/:id`,
  },
  deskKey: {
    GET: `listHandoffs desk/v1/handoffs
readHandoff desk/v1/handoffs/:id`,
    POST: `acceptHandoff desk/v1/handoffs/:id/accept
leaveHandoff desk/v1/handoffs/:id/leave -
rejectHandoff desk/v1/handoffs/:id/reject -
sendHandoffMessage desk/v1/handoffs/:id/messages
showHandoffTyping desk/v1/handoffs/:id/typing -`,
  },
} as const
