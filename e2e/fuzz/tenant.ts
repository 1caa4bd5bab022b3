import {
  type AccountId,
  type AgentId,
  type BranchId,
  type Clock,
  defineFunction,
  type Platform,
} from '@colloquy/core'
import { z } from 'zod'

/** One account of the world that is fuzzed, with a credential of each kind. */
export interface Tenant {
  readonly accountId: string
  readonly slug: string
  readonly agentId: string
  readonly keys: {
    readonly workspace: string
    readonly project: string
    readonly external_events: string
    readonly desk: string
  }
  readonly connectorToken: string
  /** Id of the telephony connector. `phoneNumber` is the number that it answers. */
  readonly lineId: string
  readonly recordId: string
  readonly phoneNumber: string
  /** A messaging service, over which texts are sent. */
  readonly sender: string
  readonly connectorId: string
  readonly keyIds: readonly string[]
  /** Ids and secrets that no other account may be told, and the text that stands in everything it wrote. */
  readonly private: readonly string[]
  /** A path of each kind of thing that it has: what another account may try. */
  readonly things: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** Questions that the agents of the fuzzed world answer. */
export const QUESTIONS = ['When do you open?', 'I want to pay', 'Fetch me a human', 'So long', 'Nonsense']

/** Expects an external event, and says what it was told. */
const pay = defineFunction({
  description: 'Takes a payment',
  parameters: z.object({}),
  async execute(conversation) {
    const event = conversation.externalEvent
    if (event !== null) conversation.say(`Paid: ${event.text}`)
    else conversation.setVariable('event_id', await conversation.expectExternalEvent())
    return null
  },
})

const bye = defineFunction({
  description: 'Ends the conversation',
  parameters: z.object({}),
  execute(conversation) {
    conversation.end()
    return null
  },
})

/** The functions of the fuzzed world. */
export const functions = { pay, bye }

const TOPICS = [
  ['Opening hours', 'When do you open?', 'We open at nine.', ''],
  ['Payment', 'I want to pay', 'Pay here.', '{{fn:pay}}'],
  ['Person', 'Fetch me a human', 'I am fetching somebody.', '{{ho:reception}}'],
  ['Farewell', 'So long', 'Goodbye!', '{{fn:bye}}'],
] as const

/** A branch with a bit of everything, merged and deployed everywhere. */
async function writeContent({ agents }: Platform, agentId: AgentId, marker: string) {
  const branch = await agents.createBranch(agentId, { branchName: `content ${marker}` })
  await agents.updateBehavior(agentId, branch.id, `Behave. ${marker}`)
  const attribute = await agents.createAttribute(agentId, branch.id, { name: `house ${marker}` })
  const variant = await agents.createVariant(agentId, branch.id, {
    name: `Mill ${marker}`,
    isDefault: false,
    attributeValues: { [attribute.id]: marker },
  })
  const topicIds: string[] = []
  for (const [name, question, content, actions] of TOPICS) {
    const topic = await agents.createTopic(agentId, branch.id, {
      name: `${name} ${marker}`,
      content: `${content} ${marker}`,
      actions,
      exampleQueries: [question],
      isActive: true,
    })
    topicIds.push(topic.id)
  }
  const { deployment } = await agents.merge(agentId, branch.id, { deploymentMessage: marker })
  const live = await agents.promote(agentId, deployment.id, {
    targetEnvironment: 'live',
    deploymentMessage: marker,
  })
  await agents.updateTopic(agentId, branch.id, topicIds[0] ?? '', { content: `Changed. ${marker}` })
  for (const environment of ['sandbox', 'pre-release', 'live'] as const)
    await agents.updateRealTimeConfigVariables(agentId, environment, { text: marker })
  return {
    branchId: branch.id,
    attributeId: attribute.id,
    variantId: variant.id,
    topicId: topicIds[0] ?? '',
    deploymentId: live.id,
  }
}

async function issueKeys({ access }: Platform, accountId: AccountId, marker: string) {
  const issue = (kind: 'workspace' | 'project' | 'external_events' | 'desk') =>
    access.createApiKey({ kind, accountId, name: marker })
  const issued = [
    await issue('workspace'),
    await issue('project'),
    await issue('external_events'),
    await issue('desk'),
  ]
  const [workspace = '', project = '', external_events = '', desk = ''] = issued.map(({ secret }) => secret)
  return { keys: { workspace, project, external_events, desk }, keyIds: issued.map(({ key }) => key.id) }
}

/** A debug chat, a recorded call and a finished one, in the words of their account. */
async function hold(
  { agents, conversations, debugChat }: Platform,
  clock: Pick<Clock, 'now'>,
  agentId: AgentId,
  marker: string,
) {
  const agent = await agents.find(agentId)
  if (agent === null) throw new Error('the agent was just made')
  const { state } = await debugChat.start(agent, { environment: 'sandbox' })
  await debugChat.send(agent, state.id, { environment: 'sandbox', message: `When do you open? ${marker}` })
  const call = { accountId: agent.accountId, agentId, environment: 'live', channel: 'VOICE-SIP' } as const
  const { conversationId } = await conversations.start({ ...call, fromNumber: '+441234567890' })
  const now = clock.now()
  await conversations.recordTurn({
    agentId,
    conversationId,
    turnId: 'first',
    userInput: marker,
    userInputAt: now,
    agentResponse: marker,
    agentResponseAt: now,
  })
  const handoff = { destination: marker, reason: marker }
  await conversations.finish({ agentId, conversationId, handoff })
  return { chatId: state.id, recordId: conversationId }
}

/** A test case with its run, and a replay, of a branch. */
async function rehearse(
  { agents }: Platform,
  { agentId, branchId }: { readonly agentId: AgentId; readonly branchId: BranchId },
  marker: string,
) {
  const testCase = await agents.testCases.create(agentId, branchId, {
    name: marker,
    turns: [{ text: `When do you open? ${marker}`, expectations: {} }],
  })
  const run = await agents.startTestRun(agentId, { branchId })
  const replay = await agents.startReplay(agentId, { branchId })
  return { testCaseId: testCase.id, testRunId: run.id, replayId: replay.id }
}

/**
 * Writes an account with everything that an account can have, all in texts that hold the marker. It is a list, and as
 * long as an account can have things.
 */
export async function createTenant(
  platform: Platform,
  clock: Pick<Clock, 'now'>,
  slug: string,
  marker: string,
): Promise<Tenant> {
  const { access, agents, alerts, telephony, webhooks } = platform
  const account = await access.createAccount({ accountId: `ws-${slug}`, slug, name: `Account ${marker}` })
  const made = await agents.create({
    accountId: account.id,
    name: `Desk ${marker}`,
    greeting: `Welcome! ${marker}`,
  })
  const agentId = made.id
  const content = await writeContent(platform, agentId, marker)
  const { keys, keyIds } = await issueKeys(platform, account.id, marker)
  const issued = await access.createConnector({
    accountId: account.id,
    agentId,
    environment: 'live',
    hosts: ['localhost'],
    name: marker,
    handoff: { mode: 'server', queueName: 'reception', timeoutSeconds: 3600 },
  })
  const owned = { accountId: account.id, agentId, environment: 'live', name: marker } as const
  const line = await access.createTelephonyConnector(owned)
  const phoneNumber = `+44207946000${slug.length}`
  const sender = `MG-${slug}`
  await telephony.importNumbers(agentId, { phoneNumbers: [phoneNumber, sender], connectorId: line.id })
  const voice = await platform.voices.create(account.id, {
    ...{ name: marker, provider: 'SCRIPTED', providerVoiceId: 'ada', config: { marker } },
  })
  const pooledNumber = `+44207946010${slug.length}`
  await telephony.addToPool(agentId, [pooledNumber])
  const { endpoint, secret: endpointSecret } = await webhooks.createEndpoint(account.id, {
    name: marker,
    url: `https://${slug}.example.com/`,
    eventTypes: ['conversation.completed'],
  })
  await platform.voices.say(agentId, {
    ...{ text: marker, provider: 'SCRIPTED', providerVoiceId: 'ada', config: { marker } },
  })
  const [sound] = (await platform.voices.cachedAudio(agentId)).entries
  const rule = await alerts.createRule(account.id, {
    ...{ name: marker, agentId, metric: 'call_crashes', operator: '>', threshold: 0, window: '5m' },
  })
  const delivery = await webhooks.test(account.id, endpoint.id)
  const { chatId, recordId } = await hold(platform, clock, agentId, marker)
  const turnBased = await platform.chat.create(issued.connector, {})
  await platform.chat.respond(issued.connector, {
    conversationId: turnBased.conversationId,
    message: `When do you open? ${marker}`,
  })
  const ofBranch = { agentId, branchId: content.branchId }
  const rehearsed = await rehearse(platform, ofBranch, marker)
  const branch = '/v1/agents/:agentId/branches'
  const things = {
    '/v1/accounts': { accountId: account.id },
    '/v1/accounts/:accountId/voice-library': { accountId: account.id, voiceId: voice.id },
    '/v1/agents': { agentId },
    '/v1/agents/:agentId/audio-cache': { agentId, entryId: sound?.id ?? '' },
    [branch]: ofBranch,
    [`${branch}/:branchId/knowledge-base/topics`]: { ...ofBranch, topicId: content.topicId },
    [`${branch}/:branchId/attributes`]: { ...ofBranch, attributeId: content.attributeId },
    [`${branch}/:branchId/variants`]: { ...ofBranch, variantId: content.variantId },
    [`${branch}/:branchId/test-cases`]: { ...ofBranch, testCaseId: rehearsed.testCaseId },
    '/v1/agents/:agentId/test-runs': { agentId, testRunId: rehearsed.testRunId },
    '/v1/agents/:agentId/testing/test-runs': { agentId, testRunId: rehearsed.testRunId },
    '/v1/agents/:agentId/replays': { agentId, replayId: rehearsed.replayId },
    '/v1/agents/:agentId/deployments': { agentId, deploymentId: content.deploymentId },
    '/v1/agents/:agentId/real-time-configs': { agentId, clientEnv: 'sandbox' },
    '/v1/agents/:agentId/telephony/connectors': { agentId, connectorId: line.id },
    '/v1/agents/:agentId/telephony/phone-numbers': { agentId, phoneNumber },
    '/v1/agents/:agentId/debug-chat': { agentId, conversationId: chatId },
    '/v1/agents/:agentId/conversations': { agentId, recordId },
    '/v1/:account_id': { account_id: account.id, project_id: agentId },
    '/v1/:account_id/:project_id/chat': {
      account_id: account.id,
      project_id: agentId,
      conversation_id: turnBased.conversationId,
    },
    '/v3/:account_id': { account_id: account.id, project_id: agentId },
    '/v3/:account_id/:project_id/conversations': {
      account_id: account.id,
      project_id: agentId,
      conversation_id: recordId,
    },
    '/v1/webhook-endpoints': { id: endpoint.id },
    '/v1/alert-rules': { rule_id: rule.id },
    '/v1/webhook-endpoints/:id/deliveries': {
      id: endpoint.id,
      deliveryId: `${delivery.delivery.eventId}.${endpoint.id}`,
    },
  }
  const ids = Object.values(things).flatMap(thing => Object.values<string>(thing))
  return {
    accountId: account.id,
    slug,
    agentId,
    keys,
    connectorToken: issued.token,
    lineId: line.id,
    recordId,
    phoneNumber,
    sender,
    connectorId: issued.connector.id,
    keyIds,
    private: [
      marker,
      ...ids.filter(id => id.length > 15),
      ...Object.values(keys),
      issued.token,
      issued.connector.id,
      endpointSecret,
      ...keyIds,
    ],
    things,
  }
}

/** Everything that an account has and that only the account itself may change, as one text. */
export async function snapshotOf(
  { access, agents, alerts, reading, telephony, voices, webhooks }: Platform,
  tenant: Tenant,
): Promise<string> {
  const accountId = tenant.accountId
  const agentId = tenant.agentId
  const branches = await agents.branches(agentId)
  const log = await Promise.all(
    branches.map(async ({ id }) => [
      await agents.branch(agentId, id),
      await agents.behavior(agentId, id),
      await agents.topics(agentId, id),
      await agents.variants(agentId, id),
    ]),
  )
  const records = []
  const filter = { accountId, agentId, environment: 'live' } as const
  // Stores hold JSON as texts or as values: what they say is compared, not how they hold it.
  for await (const { records: page } of reading.slices(filter, { offset: 0 }, 1000))
    for (const { json, ...position } of page)
      records.push([position, json.summary.text, json.details.text, json.turns?.text])
  return JSON.stringify([
    await agents.list(accountId),
    log,
    await agents.activeDeployments(agentId),
    await access.telephonyConnectors(agentId),
    await telephony.numbers(agentId),
    await voices.list(accountId, { offered: false }),
    (await voices.cachedAudio(agentId)).entries.map(({ id, version }) => [id, version]),
    (await telephony.pool(agentId)).map(({ number, createdAt }) => [number, createdAt]),
    records,
    await webhooks.endpoints(accountId),
    // Evaluations go on meanwhile.
    (await alerts.rules(accountId)).map(({ id, name, metric, threshold, enabled }) => [
      ...[id, name, metric, threshold, enabled],
    ]),
    (await access.connectors({ accountId, limit: 1_000 })).connectors.map(
      ({ lastUsedAt: _, ...rest }) => rest,
    ),
    (await access.apiKeys({ accountId, limit: 1_000 })).apiKeys.map(({ lastUsedAt: _, ...rest }) => rest),
  ])
}
