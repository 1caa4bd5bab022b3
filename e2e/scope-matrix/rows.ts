import type { FamilyName, Row } from './table.ts'

const row = (names: Row['names'], success: number, more: Partial<Row> = {}): Row => ({
  names,
  success,
  wholeAccount: false,
  perAgent: false,
  ofOneAgent: false,
  thing: false,
  ...more,
})
const ofAccount = (success: number) => row('account', success)
/** A path that names something of the account's. */
const belowAccount = (success: number) => row('account', success, { thing: true })
const ofAgent = (success: number) => row('agent', success)
/** A path that names something of the agent's: a branch, a deployment, a chat. */
const belowAgent = (success: number) => row('agent', success, { thing: true })
const ofBoth = (success: number) => row('account and agent', success)
const ofKey = (success: number) => row('nothing', success)
/** A route about things that a key of one agent has of its own. */
const perAgent = (success: number, thing = false) => row('nothing', success, { perAgent: true, thing })
const belowKey = (success: number) => row('nothing', success, { thing: true })

const BRANCH = '/v1/agents/:agentId/branches/:branchId'

/** List, add, read, change, remove; a change or removal of a topic or test case is answered with nothing. */
const resources = (path: string, id: string, changed: number): Readonly<Record<string, Row>> => ({
  [`GET ${BRANCH}${path}`]: belowAgent(200),
  [`POST ${BRANCH}${path}`]: belowAgent(201),
  [`GET ${BRANCH}${path}/${id}`]: belowAgent(200),
  [`PATCH ${BRANCH}${path}/${id}`]: belowAgent(changed),
  [`DELETE ${BRANCH}${path}/${id}`]: belowAgent(changed),
})

const AGENT = '/v1/agents/:agentId'
const VOICES = '/v1/accounts/:accountId/voice-library'
const AUDIO = `${AGENT}/audio-cache`
const CONVERSATIONS = '/:account_id/:project_id/conversations'
const CHAT = '/:account_id/:project_id/chat'
const HANDOFF = '/desk/v1/handoffs/:id'
const ENDPOINT = '/v1/webhook-endpoints/:id'
const RULE = '/v1/alert-rules/:rule_id'

/** Every route that a key opens, by family: what it names, and its status when all is right. */
export const ROWS: Readonly<Record<FamilyName, Readonly<Record<string, Row>>>> = {
  agents: {
    'GET /v1/accounts/:accountId/agents': ofAccount(200),
    'POST /v1/accounts/:accountId/agents': ofAccount(200),
    [`GET ${VOICES}`]: ofAccount(200),
    [`POST ${VOICES}`]: ofAccount(200),
    [`GET ${VOICES}/:voiceId`]: belowAccount(200),
    [`PATCH ${VOICES}/:voiceId`]: belowAccount(200),
    [`GET ${VOICES}/:voiceId/sample`]: belowAccount(200),
    [`GET ${AUDIO}`]: ofAgent(200),
    [`POST ${AUDIO}/bulk-delete`]: ofAgent(200),
    [`DELETE ${AUDIO}/:entryId`]: belowAgent(200),
    [`GET ${AUDIO}/:entryId/file`]: belowAgent(200),
    [`PATCH ${AUDIO}/:entryId/file`]: belowAgent(204),
    [`PUT ${AUDIO}/:entryId/details`]: belowAgent(204),
    [`POST ${AUDIO}/:entryId/synthesize`]: belowAgent(200),
    [`GET ${AGENT}`]: ofAgent(200),
    [`PATCH ${AGENT}`]: ofAgent(200),
    [`POST ${AGENT}/duplicate`]: row('agent', 200, { wholeAccount: true }),
    [`GET ${AGENT}/branches`]: ofAgent(200),
    [`POST ${AGENT}/branches`]: ofAgent(201),
    [`GET ${BRANCH}`]: belowAgent(200),
    [`GET ${BRANCH}/diff`]: belowAgent(200),
    [`DELETE ${BRANCH}`]: belowAgent(200),
    [`POST ${BRANCH}/merge`]: belowAgent(200),
    [`GET ${BRANCH}/behavior`]: belowAgent(200),
    [`PATCH ${BRANCH}/behavior`]: belowAgent(200),
    [`GET ${BRANCH}/response-settings`]: belowAgent(200),
    [`PATCH ${BRANCH}/response-settings`]: belowAgent(200),
    ...resources('/knowledge-base/topics', ':topicId', 204),
    ...resources('/attributes', ':attributeId', 200),
    ...resources('/variants', ':variantId', 200),
    ...resources('/test-cases', ':testCaseId', 204),
    [`GET ${AGENT}/test-runs`]: ofAgent(200),
    [`POST ${AGENT}/test-runs`]: ofAgent(201),
    [`GET ${AGENT}/test-runs/:testRunId`]: belowAgent(200),
    [`GET ${AGENT}/testing/test-runs`]: ofAgent(200),
    [`POST ${AGENT}/testing/test-runs/trigger`]: ofAgent(201),
    [`GET ${AGENT}/testing/test-runs/:testRunId`]: belowAgent(200),
    [`GET ${AGENT}/testing/test-history`]: ofAgent(200),
    [`GET ${AGENT}/deployments`]: ofAgent(200),
    [`GET ${AGENT}/deployments/active`]: ofAgent(200),
    [`POST ${AGENT}/deployments/publish`]: ofAgent(201),
    [`GET ${AGENT}/deployments/:deploymentId/diff/:otherId`]: belowAgent(200),
    [`POST ${AGENT}/deployments/:deploymentId/promote`]: belowAgent(200),
    [`POST ${AGENT}/deployments/:deploymentId/rollback`]: belowAgent(200),
    [`GET ${AGENT}/real-time-configs`]: ofAgent(200),
    [`GET ${AGENT}/real-time-configs/:clientEnv`]: ofAgent(200),
    [`PUT ${AGENT}/real-time-configs/:clientEnv/schema`]: ofAgent(200),
    [`PATCH ${AGENT}/real-time-configs/:clientEnv/variables`]: ofAgent(200),
    [`GET ${AGENT}/telephony/connectors`]: ofAgent(200),
    [`GET ${AGENT}/telephony/connectors/:connectorId`]: belowAgent(200),
    [`PATCH ${AGENT}/telephony/connectors/:connectorId`]: belowAgent(200),
    [`DELETE ${AGENT}/telephony/connectors/:connectorId`]: belowAgent(200),
    [`POST ${AGENT}/telephony/connectors/batch`]: ofAgent(200),
    [`PATCH ${AGENT}/telephony/connectors/batch`]: ofAgent(200),
    [`POST ${AGENT}/telephony/connectors/lookup`]: ofAgent(200),
    [`GET ${AGENT}/telephony/phone-numbers`]: ofAgent(200),
    [`POST ${AGENT}/telephony/phone-numbers`]: ofAgent(201),
    [`DELETE ${AGENT}/telephony/phone-numbers`]: ofAgent(200),
    [`POST ${AGENT}/telephony/phone-numbers/batch`]: ofAgent(200),
    [`GET ${AGENT}/telephony/phone-numbers/:phoneNumber`]: belowAgent(200),
    [`POST ${AGENT}/telephony/phone-numbers/:phoneNumber`]: ofAgent(201),
    [`PATCH ${AGENT}/telephony/phone-numbers/:phoneNumber`]: belowAgent(200),
    [`DELETE ${AGENT}/telephony/phone-numbers/:phoneNumber`]: belowAgent(200),
    [`POST ${AGENT}/telephony/outbound-calls`]: ofAgent(200),
    [`GET ${AGENT}/telephony/outbound-calls/:callSid/status`]: belowAgent(200),
    [`GET ${AGENT}/conversations`]: ofAgent(200),
    [`GET ${AGENT}/conversations/:recordId`]: belowAgent(200),
    [`GET ${AGENT}/conversations/:recordId/audio`]: belowAgent(200),
    [`GET ${AGENT}/conversations/:recordId/files/:fileId`]: belowAgent(200),
    // Last: what it removes is made again, but empty.
    [`DELETE ${AGENT}`]: ofAgent(204),
  },
  'debug-chat': {
    [`POST ${AGENT}/debug-chat`]: ofAgent(201),
    [`POST ${AGENT}/debug-chat/:conversationId`]: belowAgent(200),
    [`GET ${AGENT}/debug-chat/:conversationId`]: belowAgent(200),
  },
  chat: {
    [`POST /v1${CHAT}/create`]: ofBoth(200),
    [`POST /v1${CHAT}/respond`]: ofBoth(200),
    [`GET /v1${CHAT}/:conversation_id/replies`]: row('account and agent', 200, { thing: true }),
    [`PUT /v1${CHAT}/close`]: ofBoth(200),
  },
  'conversations-v1': { [`GET /v1${CONVERSATIONS}`]: ofBoth(200) },
  'conversations-v3': {
    [`GET /v3${CONVERSATIONS}`]: ofBoth(200),
    [`GET /v3${CONVERSATIONS}/:conversation_id`]: row('account and agent', 200, { thing: true }),
  },
  concurrency: { [`GET /v1${CONVERSATIONS}/concurrency`]: ofBoth(200) },
  'external-events': { 'POST /v1/external-events/webhook': ofBoth(201) },
  operator: {
    'POST /operator/v1/accounts': ofKey(201),
    'GET /operator/v1/accounts': ofKey(200),
    'POST /operator/v1/api-keys': ofKey(201),
    'GET /operator/v1/api-keys': ofKey(200),
    'DELETE /operator/v1/api-keys/:id': belowKey(204),
    'POST /operator/v1/connectors': ofKey(201),
    'GET /operator/v1/connectors': ofKey(200),
    'GET /operator/v1/connectors/:id': belowKey(200),
    'PATCH /operator/v1/connectors/:id': belowKey(200),
    'POST /operator/v1/connectors/:id/context-keys': belowKey(201),
    'DELETE /operator/v1/connectors/:id/context-keys': belowKey(204),
    'DELETE /operator/v1/connectors/:id': belowKey(204),
    'POST /operator/v1/telephony-connectors': ofKey(201),
    'POST /operator/v1/phone-numbers': ofKey(201),
    'GET /operator/v1/phone-numbers': ofKey(200),
    'DELETE /operator/v1/phone-numbers/:phoneNumber': belowKey(200),
    'POST /operator/v1/pooled-numbers': ofKey(201),
    'GET /operator/v1/pooled-numbers': ofKey(200),
    'DELETE /operator/v1/pooled-numbers/:phoneNumber': belowKey(200),
    'GET /operator/v1/token-keys': ofKey(200),
    'POST /operator/v1/token-keys/rotate': ofKey(200),
    'GET /operator/v1/audit-log': ofKey(200),
  },
  desk: {
    'GET /desk/v1/handoffs': ofKey(200),
    [`GET ${HANDOFF}`]: belowKey(200),
    [`POST ${HANDOFF}/accept`]: belowKey(200),
    [`POST ${HANDOFF}/typing`]: belowKey(204),
    [`POST ${HANDOFF}/messages`]: belowKey(201),
    [`GET ${HANDOFF}/visitor`]: belowKey(200),
    [`POST ${HANDOFF}/summary`]: belowKey(202),
    [`POST ${HANDOFF}/suggestions`]: belowKey(200),
    [`POST ${HANDOFF}/files`]: belowKey(201),
    [`GET ${HANDOFF}/files/:fileId`]: belowKey(200),
    [`GET ${HANDOFF}/notes`]: belowKey(200),
    [`POST ${HANDOFF}/notes`]: belowKey(201),
    [`POST ${HANDOFF}/leave`]: belowKey(204),
    [`POST ${HANDOFF}/return`]: belowKey(204),
    [`POST ${HANDOFF}/transfer`]: belowKey(200),
    [`POST ${HANDOFF}/reject`]: belowKey(204),
    'GET /desk/v1/colleagues': ofKey(200),
    'PATCH /desk/v1/colleagues/:liveAgentId': belowKey(204),
    [`GET ${HANDOFF}/replies`]: belowKey(200),
    'GET /desk/v1/queues': ofKey(200),
    'PUT /desk/v1/queues/:queueName/hours': belowKey(200),
    'DELETE /desk/v1/queues/:queueName/hours': belowKey(204),
    'GET /desk/v1/assignments': ofKey(200),
    'GET /desk/v1/figures': ofKey(200),
    'PUT /desk/v1/queues/:queueName/assignment': belowKey(200),
    'DELETE /desk/v1/queues/:queueName/assignment': belowKey(204),
    'GET /desk/v1/replies': ofKey(200),
    'POST /desk/v1/replies': ofKey(201),
    'PATCH /desk/v1/replies/:replyId': belowKey(200),
    'DELETE /desk/v1/replies/:replyId': belowKey(204),
  },
  // The connector of the request names the agent.
  'handoff-state': { 'GET /v1/:account_id/:project_id/handoff_state': ofBoth(200) },
  texts: { 'POST /v1/outbound-sms': perAgent(202) },
  calls: {
    'POST /v1/outbound-calling': perAgent(200),
    'GET /v1/outbound-calling/:call_sid/status': perAgent(200, true),
  },
  // The key names the agent.
  'number-reservation': {
    'POST /v1/conversations/dni-reservation': row('nothing', 200, { perAgent: true, ofOneAgent: true }),
  },
  webhooks: {
    'POST /v1/webhook-endpoints': ofKey(201),
    'GET /v1/webhook-endpoints': ofKey(200),
    [`GET ${ENDPOINT}`]: belowKey(200),
    [`PATCH ${ENDPOINT}`]: belowKey(200),
    [`DELETE ${ENDPOINT}`]: belowKey(204),
    [`POST ${ENDPOINT}/rotate-secret`]: belowKey(200),
    [`POST ${ENDPOINT}/test`]: belowKey(202),
    [`GET ${ENDPOINT}/deliveries`]: belowKey(200),
    [`GET ${ENDPOINT}/deliveries/:deliveryId`]: belowKey(200),
    [`POST ${ENDPOINT}/deliveries/:deliveryId/resend`]: belowKey(202),
  },
  alerts: {
    'POST /v1/alert-rules': perAgent(201),
    'GET /v1/alert-rules': perAgent(200),
    [`GET ${RULE}`]: perAgent(200, true),
    [`PATCH ${RULE}`]: perAgent(200, true),
    [`DELETE ${RULE}`]: perAgent(204, true),
    'GET /v1/alerts': perAgent(200),
  },
}
