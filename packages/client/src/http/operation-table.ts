// Made from packages/core/openapi.json by `npm run document`.

/** The calls, in the form that `callsOf` reads: short, because pages load it. */
export const OPERATIONS = `@workspaceKey
0v1/accounts/:accountId/agents listAgents createAgent
1agents/:agentId update read delete.-
3branches listBranches createBranch
4:branchId read delete
5attributes listAttributes createAttribute
6:attributeId update read delete
5behavior updateBehavior read
5diff diffBranch
5knowledge-base/topics listTopics createTopic
7:topicId update.- read delete.-
5merge mergeBranch
5response-settings updateResponseSettings read
5test-cases listTestCases createTestCase
6:testCaseId update.- read delete.-
6from-conversation createTestCaseFromConversation
5variants listVariants createVariant
6:variantId update read delete
3conversations listAgentConversations
4:recordId readAgentConversation
5audio readAgentConversationAudio.audio/wav
5files/:fileId readConversationFileAddress
3debug-chat startDebugChat
4:conversationId read continue
3deployments listDeployments
4:deploymentId/diff/:otherId compare
5promote promoteDeployment
5rollback rollback
4active listActiveDeployments
4publish publishDeployment
3duplicate duplicateAgent
3real-time-configs listRealTimeConfigs
4:clientEnv readRealTimeConfig
5schema replaceRealTimeConfigSchema
5variables updateRealTimeConfigVariables
3replays startReplay listReplays
4:replayId readReplay
5accept acceptReplayGroup
5turns listReplayTurns
3rollouts startRollout listRollouts
4:rolloutId updateRollout read
5end end
3test-runs startTestRun listTestRuns
4:testRunId readTestRun
3testing/test-history listTestHistory
4test-runs listTestingRuns
5:testRunId readTestingRun
5trigger triggerTestRun
3unanswered listUnanswered
1alert-rules listAlertRules createAlertRule
2:rule_id update read delete.-
1alerts listAlerts
1webhook-endpoints listWebhookEndpoints createWebhookEndpoint
2:id update read delete.-
3deliveries listWebhookDeliveries
4:deliveryId readWebhookDelivery
5resend resend
3rotate-secret rotateWebhookSecret
3test testWebhookEndpoint
@projectKey+connectorToken
0v1/:account_id/:project_id/chat/:conversation_id/replies listChatReplies
4close closeChat
4create create
4respond respondToChat
@projectKey
0v1/:account_id/:project_id/conversations listConversationsV1
4concurrency readConcurrency
3handoff_state readHandoffState
0v3/:account_id/:project_id/conversations listConversations
4:conversation_id readConversation
@externalEventsKey
0v1/external-events/webhook receiveExternalEvent
@connectorToken
0api/v1/access-token issueAccessToken
@accessToken
0api/v1/files/:token readFile.*/*
2sessions createSession
3:sessionId/events postEvents.-
4files uploadFile
5:fileId readFileAddress
4rating rateSession.-
4stream streamEvents.text/event-stream
@operatorKey
0operator/v1/accounts listAccounts createAccount
2api-keys listApiKeys createApiKey
3:id revoke.-
2audit-log listAuditLog
2connectors listConnectors createConnector
3:id update revoke.- read
4context-keys rotateContextKeys revoke.-
2phone-numbers listGivenPhoneNumbers givePhoneNumbers
3:phoneNumber revokePhoneNumber
2token-keys listTokenKeys
3rotate rotate
@deskKey
0desk/v1/assignments listQueueAssignments
2colleagues listColleagues
3:liveAgentId updateColleague.-
2figures readDeskFigures
2handoffs listHandoffs
3:id readHandoff
4accept accept
4decline decline.-
4files uploadHandoffFile
5:fileId readHandoffFileAddress
4leave leaveHandoff.-
4messages sendHandoffMessage
4notes writeHandoffNote listHandoffNotes
4reject rejectHandoff.-
4replies listHandoffReplies
4return returnHandoff.-
4suggestions suggestReplies
4summary summarizeHandoff
4transfer transfer
4typing showHandoffTyping.-
4visitor readHandoffVisitor
2queues listDeskQueues
3:queueName/assignment replaceQueueAssignment delete.-
4hours replaceQueueHours delete.-
2replies listSharedReplies createSharedReply
3:replyId update delete.-`
