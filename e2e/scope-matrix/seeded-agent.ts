import { type Account, type AgentId, type BranchId, type Platform, wavOf } from '@colloquy/core'
import { deliveryId } from '@colloquy/core/store'
import { aFile, connectSocketPair } from '@colloquy/core/testing'
import { contextOf } from '@colloquy/test-support/context-of'
import { chosenKey } from '../../packages/core/src/domain/conversation/conversation-key.ts'

/** The time at which what is recorded ended, an hour after it had begun. */
export const NOON = Date.UTC(2026, 2, 2, 12)

export type Ids = Readonly<Record<string, string>>

/** One agent with something of everything; its name stands in all that is kept of it. */
export interface SeededAgent {
  readonly id: AgentId
  readonly account: Account
  /** Path parameters that name what the agent has. */
  readonly ids: Readonly<Record<string, string>>
  readonly connectorToken: string
}

/** Differences between agents that are seeded. */
export interface Seeding {
  /** Id of the event that the agent expects after `pay`. @default none */
  readonly eventOf?: (agentId: AgentId) => string
  /** Writes more on the branch that is merged and deployed. @default nothing */
  readonly content?: (agentId: AgentId, branchId: BranchId) => Promise<void>
  /** A visitor's words to pay. @default 'pay' */
  readonly pay?: string
  /** A visitor's words for a person. @default 'person' */
  readonly person?: string
}

/** Path parameters of an agent, as the family of a path names them. */
export function idsAt(path: string, { ids }: SeededAgent): Ids {
  const { chat_id = '', handoffId = '', handoffFileId = '' } = ids
  if (path.includes('/chat/')) return { ...ids, conversation_id: chat_id }
  if (path.includes('/desk/')) return { ...ids, id: handoffId, fileId: handoffFileId }
  const { messagingConnectorId = '', endpointId = '' } = ids
  return { ...ids, id: path.includes('/operator/') ? messagingConnectorId : endpointId }
}

/** A phone number for each name. */
const numberOf = (name: string): string => {
  const digits = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 10_000, 7)
  return `+44207946${String(digits).padStart(4, '0')}`
}

/** Something of everything: content, deployments, a debug chat, a record, a handoff, a webhook endpoint with a delivery. */
export async function seedAgent(
  platform: Platform,
  account: Account,
  name: string,
  { eventOf = () => '', content = async () => {}, pay = 'pay', person = 'person' }: Seeding = {},
): Promise<SeededAgent> {
  const { agents, access, alerts, telephony, webhooks } = platform
  const created = { accountId: account.id, agentId: `PROJECT-${name}`, name: `Agent ${name}` }
  const { id } = await agents.create({ ...created, greeting: `Welcome to ${name}.` })
  const deployed = await fillAgent(platform, id, name, content)
  const { connector, token } = await access.createConnector({
    ...{ accountId: account.id, agentId: id, environment: 'live', hosts: [`${name}.example`, 'localhost'] },
    ...{
      name: `Connector ${name}`,
      handoff: { mode: 'server', queueName: `Queue ${name}`, timeoutSeconds: 3_600 },
    },
  })
  const telephonyConnector = await access.createTelephonyConnector({
    ...{ accountId: account.id, agentId: id, environment: 'live', name: `Line ${name}` },
  })
  const phoneNumber = numberOf(name)
  await telephony.importNumbers(id, { phoneNumbers: [phoneNumber], connectorId: telephonyConnector.id })
  const voice = await platform.voices.create(account.id, {
    ...{ name: `Voice ${name}`, provider: 'SCRIPTED', providerVoiceId: `spoken-${name}`, config: {} },
  })
  await platform.voices.say(id, {
    ...{ text: `Hello from ${name}.`, provider: 'SCRIPTED', providerVoiceId: 'ada', config: {} },
  })
  const [sound] = (await platform.voices.cachedAudio(id)).entries
  // Its samples are letters, so that the sound says whose it is: twice, to be an even number of bytes.
  const letters = new TextEncoder().encode(`${name}${name}`)
  await platform.voices.replaceCachedAudio(id, sound?.id ?? '', {
    audio: wavOf(new Int16Array(letters.slice().buffer), 50),
  })
  const { id: call } = await platform.calls.place({ agentId: id, environment: 'live', to: '+442079460030' })
  await platform.calls.failed({ id: call, reason: `Nobody answers ${name}.` })
  const { endpoint } = await webhooks.createEndpoint(account.id, {
    name: `Endpoint ${name}`,
    url: `https://${name}.example/hook`,
    eventTypes: ['conversation.completed'],
  })
  const rule = await alerts.createRule(account.id, {
    ...{ name: `Rule ${name}`, agentId: id, metric: 'turn_latency_p95', operator: '>' },
    ...{ threshold: 2_000, window: '5m' },
  })
  // As an evaluation would: the clock stands.
  const { rules } = contextOf(platform).store.alerts
  await rules.update(1, { ...rule, state: 'alert', since: NOON, currentValue: 9_000, version: 2 })
  const chat = await startDebugChat(platform, id)
  await platform.debugChat.send(await found(platform, id), chat, { environment: 'sandbox', message: pay })
  const chatId = await holdChat(platform, connector)
  await recordCall(platform, { accountId: account.id, agentId: id, name })
  const replay = await agents.startReplay(id, { deploymentId: deployed.deploymentId })
  await platform.idle()
  const { delivery } = await webhooks.test(account.id, endpoint.id)
  // As an attempt would: nothing is sent here.
  const told = { contentType: 'text/plain', bytes: 99, text: `Thanks, ${name}.`, isCut: false }
  const tried = { ...delivery, attempts: 1, lastStatus: 503, version: 2 }
  const exchange = { url: endpoint.url, sentAt: NOON, body: told }
  await contextOf(platform).store.webhooks.deliveries.update(1, tried, exchange)
  const seeded: SeededAgent = {
    id,
    account,
    connectorToken: token,
    ids: {
      ...(await contentIds(platform, id, name)),
      ...deployed,
      clientEnv: 'sandbox',
      shared_id: `shared-${name}`,
      conversationId: chat,
      chat_id: chatId,
      replayId: replay.id,
      conversation_id: `call-${name}`,
      recordId: `call-${name}`,
      eventId: eventOf(id),
      connectorId: telephonyConnector.id,
      phoneNumber,
      voiceId: voice.id,
      entryId: sound?.id ?? '',
      callSid: call,
      call_sid: call,
      messagingConnectorId: connector.id,
      endpointId: endpoint.id,
      rule_id: rule.id,
      deliveryId: deliveryId(delivery),
    },
  }
  const handoffId = await waitingHandoff(platform, seeded, person)
  // The figures tell of its queue.
  await platform.desk.reject(seeded.account.id, await waitingHandoff(platform, seeded, person), null)
  const note = { text: `Note of ${name}`, author: { id: 'ada', name: 'Ada' } }
  await platform.desk.writeNote(seeded.account.id, { handoffId }, note)
  const reply = { code: `reply-${name}`, text: `Reply of ${name}`, agentId: seeded.id }
  const { id: replyId } = await platform.desk.replies.create(seeded.account.id, reply)
  const queueName = `hours of ${name}`
  await platform.desk.queues.setHours(seeded.account.id, queueName, { timeZone: 'UTC', weekly: [] })
  await platform.desk.assignments.set(seeded.account.id, queueName, { mode: 'round_robin' })
  const files = {
    fileId: await sendFile(platform, account, chosenKey(id, `call-${name}`), name),
    handoffFileId: await sendFile(platform, account, conversationOf(handoffId), `${name}-handoff`),
  }
  return { ...seeded, ids: { ...seeded.ids, ...files, handoffId, replyId, queueName, liveAgentId: id } }
}

/** The conversation that a handoff is of. */
const conversationOf = (handoffId: string): string => handoffId.slice(0, handoffId.lastIndexOf('.'))

/** A file in a conversation, of which nobody has the bytes. */
async function sendFile(
  platform: Platform,
  { id: accountId }: Account,
  conversationId: string,
  name: string,
): Promise<string> {
  const { files } = contextOf(platform).store.conversations
  const id = `file-${name}`
  await files.expect(id, Number.MAX_SAFE_INTEGER)
  await files.add(aFile(id, { conversationId, accountId }), { files: 9, bytes: 999 })
  return id
}

/** Content on a branch, deployments in every environment, and their test runs. Resolves with the ids of what is newest. */
async function fillAgent(
  { agents }: Platform,
  id: AgentId,
  name: string,
  content: NonNullable<Seeding['content']>,
) {
  const empty = await agents.publish(id, { deploymentMessage: `First of ${name}` })
  const merged = await agents.createBranch(id, { branchName: `Merged ${name}` })
  await agents.updateBehavior(id, merged.id, `Behave like ${name}.`)
  const turns = [{ text: `A test of ${name}`, expectations: {} }]
  await content(id, merged.id)
  await agents.testCases.create(id, merged.id, { name: `Test ${name}`, turns })
  const { deployment, testRunIds } = await agents.merge(id, merged.id, {
    deploymentMessage: `Merge of ${name}`,
  })
  const { id: staged } = await agents.promote(id, deployment.id, { deploymentMessage: `Staging of ${name}` })
  await agents.promote(id, staged, { deploymentMessage: `Launch of ${name}` })
  // Over: while it ran, nothing could be deployed there.
  const rollout = await agents.rollouts.start(id, { deploymentId: empty.id, basisPoints: 1_000 })
  await agents.rollouts.end(id, rollout.id, { winner: 'base' })
  const branch = await agents.createBranch(id, { branchName: `Branch ${name}` })
  await agents.createTopic(id, branch.id, { name: `Topic ${name}`, content: `All about ${name}.` })
  await agents.createAttribute(id, branch.id, { name: `attribute_${name}` })
  await agents.createVariant(id, branch.id, { name: `Variant ${name}` })
  await agents.updateRealTimeConfigVariables(id, 'sandbox', { note: `Config of ${name}` })
  return {
    ...{ deploymentId: deployment.id, otherId: empty.id, rolloutId: rollout.id },
    testRunId: testRunIds[0] ?? '',
  }
}

/** Path parameters of what is on the agent's working branch. */
async function contentIds({ agents }: Platform, id: AgentId, name: string): Promise<Record<string, string>> {
  const branch = (await agents.branches(id)).find(candidate => candidate.name === `Branch ${name}`)
  const branchId = branch?.id ?? ''
  const variants = await agents.variants(id, branchId)
  return {
    branchId,
    topicId: (await agents.topics(id, branchId))[0]?.id ?? '',
    testCaseId: (await agents.testCases.list(id, branchId))[0]?.id ?? '',
    attributeId: (await agents.attributes(id, branchId))[0]?.id ?? '',
    variantId: variants.find(variant => variant.name === `Variant ${name}`)?.id ?? '',
  }
}

/** The agent of an id that is known to be there. */
async function found(platform: Platform, id: AgentId) {
  const agent = await platform.agents.find(id)
  if (agent === null) throw new Error(`There is no agent ${id}`)
  return agent
}

/** A debug chat of the agent, greeted. */
async function startDebugChat(platform: Platform, id: AgentId): Promise<string> {
  const { state } = await platform.debugChat.start(await found(platform, id), { environment: 'sandbox' })
  return state.id
}

/** A chat of another channel in which something was said. */
async function holdChat({ chat }: Platform, connector: Parameters<Platform['chat']['create']>[0]) {
  const { conversationId } = await chat.create(connector, {})
  await chat.respond(connector, { conversationId, message: 'Who are you?' })
  return conversationId
}

async function recordCall(
  { conversations }: Platform,
  { name, ...owner }: { readonly accountId: Account['id']; readonly agentId: AgentId; readonly name: string },
): Promise<void> {
  const conversationId = `call-${name}`
  const startedAt = NOON - 3_600_000
  await conversations.start({
    ...{ ...owner, conversationId, startedAt, environment: 'live', channel: 'VOICE-SIP' },
    ...{ fromNumber: '+441', toNumber: '+442', integrationAttributes: { name, shared_id: `shared-${name}` } },
  })
  await conversations.recordTurn({
    ...{
      agentId: owner.agentId,
      conversationId,
      turnId: `turn-${name}`,
      userInputAt: startedAt,
      outOfDomain: true,
    },
    ...{ userInput: `A common word and ${name}`, agentResponse: `A common answer of ${name}` },
  })
  await conversations.finish({
    agentId: owner.agentId,
    conversationId,
    finishedAt: startedAt + 60_000,
    handoff: { destination: `Desk ${name}`, reason: `Reason ${name}` },
  })
}

/** A visitor who waits for a live agent. */
export async function waitingHandoff(
  platform: Platform,
  agent: Pick<SeededAgent, 'connectorToken' | 'id'>,
  person = 'person',
): Promise<string> {
  const { messaging } = platform
  const { accessToken } = await messaging.issueAccessToken({
    ...{ connectorToken: agent.connectorToken, host: 'localhost', remoteAddress: '192.0.2.1' },
  })
  const { sessionId } = await messaging.createSession({
    authorization: `Bearer ${accessToken}`,
    streaming: false,
    page: { url: `https://localhost/${agent.id}` },
  })
  const visitor = await connectSocketPair(messaging, { sessionId, accessToken })
  for (const frame of [
    { type: 'EVENT_TYPE_REQUEST_AI_AGENT_JOIN', payload: {} },
    { type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: person } },
  ]) {
    visitor.send(frame)
    await visitor.flush()
    await platform.idle()
  }
  visitor.close()
  await visitor.flush()
  return `${sessionId}.1`
}
