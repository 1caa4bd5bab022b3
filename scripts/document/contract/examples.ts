import { createMemoryStore } from '../../../packages/core/src/memory/index.ts'
import { createPlatform, type Platform } from '../../../packages/core/src/platform.ts'
import { silentLog } from '../../../packages/core/src/ports/log.ts'
import {
  A_PICTURE,
  createFakeClock,
  createMemoryFiles,
  createScriptedAssistant,
  createScriptedCallProvider,
  createScriptedCarrier,
  createScriptedRuntime,
  createScriptedSpeech,
  createSequentialIds,
  type FakeClock,
  openSocketPair,
} from '../../../packages/core/src/testing/index.ts'
import { type Client, createClient, type Exchange } from './exchange.ts'
import { textAt } from './json.ts'

const ACCOUNT = 'ws-harbour'
const AGENT = 'PROJECT-harbour'
const OF_AGENT = { agentId: AGENT }
const OF_RECORDS = { account_id: ACCOUNT, project_id: AGENT }

const ADA = { id: 'agent-7', name: 'Ada', avatar_url: 'https://harbour.example/ada.png' }

const handoff = { type: 'handoff', destination: 'reception', reason: 'asked for a person' } as const

/** Accounts, keys and connectors, as the operator makes them. */
async function operate(client: Client, operatorKey: string): Promise<void> {
  client.authorize('operator', operatorKey)
  await client.ask('createAccount', { body: { accountId: ACCOUNT, slug: 'harbour', name: 'Harbour office' } })
  for (const kind of ['workspace', 'project', 'external_events', 'desk'] as const) {
    const made = await client.ask('createApiKey', { body: { kind, accountId: ACCOUNT, name: 'Back office' } })
    client.authorize(kind, textAt(made, 'key'))
  }
  await client.ask('listAccounts', { query: { limit: '10' } })
  const body = { kind: 'desk', accountId: ACCOUNT, name: 'Night shift' }
  const id = textAt(await client.ask('createApiKey', { body }), 'id')
  await client.ask('listApiKeys', { query: { accountId: ACCOUNT } })
  await client.ask('revokeApiKey', { params: { id } })
}

/** An agent, from its first words to its deployment. */
async function build(client: Client): Promise<string> {
  const body = { name: 'Front desk', agentId: AGENT, responseSettings: { greeting: 'Welcome.' } }
  await client.ask('createAgent', { params: { accountId: ACCOUNT }, body })
  await client.ask('listAgents', { params: { accountId: ACCOUNT } })
  await client.ask('readAgent', { params: OF_AGENT })
  const branchName = 'Opening hours'
  const made = await client.ask('createBranch', { params: OF_AGENT, body: { branchName } })
  const branchId = textAt(made, 'branchId')
  const params = { ...OF_AGENT, branchId }
  await client.ask('updateBehavior', { params, body: { behavior: 'Answer in two sentences at most.' } })
  await client.ask('readBehavior', { params })
  await client.ask('updateResponseSettings', { params, body: { greeting: 'Welcome to the harbour office.' } })
  await client.ask('readResponseSettings', { params })
  await writeTopics(client, params)
  await writeVariants(client, params)
  await writeTestCases(client, params)
  await client.ask('listBranches', { params: OF_AGENT })
  await client.ask('readBranch', { params })
  await client.ask('diffBranch', { params })
  await client.ask('mergeBranch', { params, body: { deploymentMessage: 'Answer for opening hours' } })
  await client.ask('deleteBranch', { params })
  return deploy(client)
}

type Params = Readonly<Record<string, string>>

async function writeTopics(client: Client, params: Params): Promise<void> {
  const body = {
    ...{ name: 'Opening hours', content: 'We open at nine.' },
    exampleQueries: { queries: ['When do you open?'] },
  }
  const topicId = textAt(await client.ask('createTopic', { params, body }), 'id')
  await client.ask('listTopics', { params })
  await client.ask('readTopic', { params: { ...params, topicId } })
  await client.ask('updateTopic', { params: { ...params, topicId }, body: { content: 'We open at eight.' } })
  const other = textAt(await client.ask('createTopic', { params, body: { ...body, name: 'Tides' } }), 'id')
  await client.ask('deleteTopic', { params: { ...params, topicId: other } })
}

async function writeVariants(client: Client, params: Params): Promise<void> {
  const made = await client.ask('createAttribute', { params, body: { name: 'pier' } })
  const attributeId = textAt(made, 'id')
  await client.ask('listAttributes', { params })
  await client.ask('readAttribute', { params: { ...params, attributeId } })
  await client.ask('updateAttribute', { params: { ...params, attributeId }, body: { name: 'pier_name' } })
  const body = { name: 'North pier', attributeValues: { values: { [attributeId]: 'north' } } }
  const variantId = textAt(await client.ask('createVariant', { params, body }), 'id')
  await client.ask('listVariants', { params })
  await client.ask('readVariant', { params: { ...params, variantId } })
  await client.ask('updateVariant', { params: { ...params, variantId }, body: { name: 'The north pier' } })
  await client.ask('deleteVariant', { params: { ...params, variantId } })
  await client.ask('deleteAttribute', { params: { ...params, attributeId } })
}

async function writeTestCases(client: Client, params: Params): Promise<void> {
  const turns = [{ text: 'When do you open?', expectations: { contains: ['eight'] } }]
  const made = await client.ask('createTestCase', { params, body: { name: 'Opening hours', turns } })
  const testCaseId = textAt(made, 'id')
  await client.ask('listTestCases', { params })
  await client.ask('readTestCase', { params: { ...params, testCaseId } })
  await client.ask('updateTestCase', { params: { ...params, testCaseId }, body: { isActive: true } })
  const other = await client.ask('createTestCase', { params, body: { name: 'Tides', turns } })
  await client.ask('deleteTestCase', { params: { ...params, testCaseId: textAt(other, 'id') } })
}

/** From the sandbox to visitors, and back. Returns the deployment that is live. */
async function deploy(client: Client): Promise<string> {
  const active = await client.ask('listActiveDeployments', { params: OF_AGENT })
  const sandbox = textAt(active, 'activeDeployments', 'sandbox', 'id')
  const promote = { ...OF_AGENT, deploymentId: sandbox }
  const body = { targetEnvironment: 'live', deploymentMessage: 'Answer visitors' }
  const live = textAt(await client.ask('promoteDeployment', { params: promote, body }), 'deployment', 'id')
  const newer = await client.ask('createBranch', { params: OF_AGENT, body: { branchName: 'Manners' } })
  const params = { ...OF_AGENT, branchId: textAt(newer, 'branchId') }
  await client.ask('updateBehavior', { params, body: { behavior: 'Be brief.' } })
  await client.ask('mergeBranch', { params, body: { deploymentMessage: 'Be brief' } })
  const published = { environment: 'live', deploymentMessage: 'Be brief to visitors' }
  await client.ask('publishDeployment', { params: OF_AGENT, body: published })
  const rollback = { params: { ...OF_AGENT, deploymentId: live }, body: { deploymentMessage: 'Too brief' } }
  await client.ask('rollbackDeployment', rollback)
  const listed = await client.ask('listDeployments', { params: OF_AGENT, query: { environment: 'live' } })
  const brief = { deploymentId: textAt(listed, 'deployments', '1', 'id'), otherId: live }
  await client.ask('compareDeployments', { params: { ...OF_AGENT, ...brief } })
  await rollOut(client, brief.deploymentId)
  return live
}

async function rollOut(client: Client, deploymentId: string): Promise<void> {
  const body = { deploymentId, basisPoints: 500 }
  const rolloutId = textAt(await client.ask('startRollout', { params: OF_AGENT, body }), 'id')
  const params = { ...OF_AGENT, rolloutId }
  await client.ask('updateRollout', { params, body: { basisPoints: 2_000 } })
  await client.ask('endRollout', { params, body: { winner: 'base' } })
  await client.ask('readRollout', { params })
  await client.ask('listRollouts', { params: OF_AGENT })
}

async function configure(client: Client): Promise<void> {
  const params = { ...OF_AGENT, clientEnv: 'live' }
  const schema = { type: 'object', properties: { closed: { type: 'boolean' } } }
  await client.ask('replaceRealTimeConfigSchema', { params, body: { schema } })
  await client.ask('updateRealTimeConfigVariables', { params, body: { variables: { closed: false } } })
  await client.ask('readRealTimeConfig', { params })
  await client.ask('listRealTimeConfigs', { params: OF_AGENT })
  const body = { accountId: ACCOUNT, agentId: AGENT, environment: 'live', name: '+44 20 7946 0018' }
  const made = await client.ask('createTelephonyConnector', { body })
  const ofConnector = { ...OF_AGENT, connectorId: textAt(made, 'connectorId') }
  await client.ask('listTelephonyConnectors', { params: OF_AGENT })
  await client.ask('readTelephonyConnector', { params: ofConnector })
  await client.ask('updateTelephonyConnector', { params: ofConnector, body: { asrLangCode: 'en-GB' } })
  await lookAfterNumbers(client, textAt(made, 'connectorId'))
  client.authorize('key_and_line', textAt(made, 'connectorId'))
  await client.ask('sendText', { body: { user_number: '+442079460030', message: 'Your table is ready.' } })
  await call(client)
  await client.ask('deleteTelephonyConnector', { params: ofConnector })
}

async function lookAfterSounds(client: Client, { voices }: Platform): Promise<void> {
  const voice = { provider: 'OPENAI', providerVoiceId: 'alloy', config: { speed: 0.9 } }
  for (const text of ['Welcome.', 'We open at eight.', 'Goodbye.'])
    await voices.say(AGENT, { ...voice, text, language: 'en-GB' })
  const listed = await client.ask('listCachedAudio', { params: OF_AGENT, query: { sort: 'hitCount:desc' } })
  const [first, second, third] = ['0', '1', '2'].map(at => textAt(listed, 'entries', at, 'id'))
  const params = { ...OF_AGENT, entryId: first ?? '' }
  await client.ask('readCachedAudioFile', { params })
  const said = { text: 'Welcome to the harbour.', config: { speed: 1 } }
  await client.ask('synthesizeCachedAudio', { params, body: { ...said, language: 'en-GB' } })
  const { audio } = await voices.cachedSound(AGENT, params.entryId)
  const headers = { 'content-type': 'audio/wav', 'x-filename': 'welcome.wav' }
  await client.ask('updateCachedAudioFile', { params, headers, body: audio })
  const form = new FormData()
  form.set('file', new File([new Uint8Array(audio)], 'welcome.wav', { type: 'audio/wav' }))
  form.set('settings', JSON.stringify(said))
  const sent = new Response(form)
  await client.ask('replaceCachedAudioDetails', {
    params,
    headers: { 'content-type': sent.headers.get('content-type') ?? '' },
    body: new Uint8Array(await sent.arrayBuffer()),
  })
  await client.ask('deleteCachedAudio', { params: { ...OF_AGENT, entryId: third ?? '' } })
  await client.ask('bulkDeleteCachedAudio', { params: OF_AGENT, body: { ids: [second, '17'] } })
}

async function addVoices(client: Client): Promise<void> {
  const params = { accountId: ACCOUNT }
  const body = {
    ...{ name: 'Harbour master', provider: 'OPENAI', providerVoiceId: 'alloy', config: { speed: 0.9 } },
    voiceMetadata: { language: 'en-GB', gender: 'neutral' },
  }
  const voiceId = textAt(await client.ask('createVoice', { params, body }), 'voice', 'id')
  await client.ask('listVoices', { params, query: { language: 'en-GB' } })
  await client.ask('readVoice', { params: { ...params, voiceId } })
  await client.ask('updateVoice', { params: { ...params, voiceId }, body: { config: { speed: 1 } } })
  await client.ask('readVoiceSample', { params: { ...params, voiceId } })
}

async function reserveNumbers(client: Client, { access }: Platform): Promise<void> {
  const key = { kind: 'project', accountId: ACCOUNT, agentId: AGENT } as const
  client.authorize('project', (await access.createApiKey(key)).secret)
  const phoneNumbers = ['+442079460040', '+442079460041']
  const senders = ['+442079460042', 'MG0123456789']
  await client.ask('givePhoneNumbers', { body: { agentId: AGENT, phoneNumbers: senders } })
  await client.ask('listGivenPhoneNumbers', { query: { agentId: AGENT } })
  await client.ask('revokePhoneNumber', { params: { phoneNumber: '+442079460042' } })
  await client.ask('addPooledNumbers', { body: { agentId: AGENT, phoneNumbers } })
  await client.ask('reserveNumber', { body: { attributes: { booking: 'H-2207', language: 'en-GB' } } })
  await client.ask('listPooledNumbers', { query: { agentId: AGENT } })
  await client.ask('deletePooledNumber', { params: { phoneNumber: '+442079460041' } })
}

async function call(client: Client): Promise<void> {
  const body = {
    toNumber: '020 7946 0030',
    countryCode: 'GB',
    environment: 'live',
    metadata: { order: '12' },
  }
  const placed = await client.ask('placeOutboundCall', { params: OF_AGENT, body })
  const params = { ...OF_AGENT, callSid: textAt(placed, 'callSid') }
  await client.ask('readOutboundCall', { params, query: { environment: 'live' } })
  const started = await client.ask('startOutboundCall', { body: { to_number: '+442079460030' } })
  await client.ask('readOutboundCallStatus', { params: { call_sid: textAt(started, 'call_sid') } })
}

async function lookAfterNumbers(client: Client, connectorId: string): Promise<void> {
  const [params, phoneNumber, other] = [OF_AGENT, '+442079460018', '+442079460019']
  const ofNumber = { ...OF_AGENT, phoneNumber }
  await client.ask('importPhoneNumbers', { params, body: { phoneNumbers: [phoneNumber, other] } })
  await client.ask('importPhoneNumber', { params: { ...OF_AGENT, phoneNumber: '+442079460020' }, body: {} })
  await client.ask('updatePhoneNumber', { params: ofNumber, body: { connectorId } })
  await client.ask('listPhoneNumbers', { params, query: { connectorId } })
  await client.ask('readPhoneNumber', { params: ofNumber })
  await client.ask('findPhoneNumbers', { params, body: { phoneNumbers: [phoneNumber, '+442079460021'] } })
  await client.ask('findTelephonyConnector', { params, body: { phoneNumber } })
  await client.ask('findTelephonyConnectors', {
    params,
    body: { connectorIds: [connectorId, 'CONNECTOR-none'] },
  })
  const updates = [
    { connectorId, asrLangCode: 'en-GB' },
    { connectorId: 'CONNECTOR-none', asrLangCode: 'en-GB' },
  ]
  await client.ask('updateTelephonyConnectors', { params, body: { updates } })
  await client.ask('deletePhoneNumbers', { params, body: { phoneNumbers: [other, '+442079460021'] } })
  await client.ask('deletePhoneNumber', { params: { ...OF_AGENT, phoneNumber: '+442079460020' } })
}

async function test(client: Client, clock: FakeClock, deploymentId: string): Promise<void> {
  const started = await client.ask('startTestRun', { params: OF_AGENT, body: { deploymentId } })
  await clock.settle()
  await client.ask('listTestRuns', { params: OF_AGENT, query: { deploymentId } })
  await client.ask('readTestRun', { params: { ...OF_AGENT, testRunId: textAt(started, 'id') } })
  const triggered = await client.ask('triggerTestRun', { params: OF_AGENT, body: { branchId: 'main' } })
  await clock.settle()
  await client.ask('listTestingRuns', { params: OF_AGENT, query: { branchId: 'main' } })
  await client.ask('readTestingRun', { params: { ...OF_AGENT, testRunId: textAt(triggered, 'id') } })
  await client.ask('listTestHistory', { params: OF_AGENT, query: { branchId: 'main' } })
  const chat = await client.ask('startDebugChat', { params: OF_AGENT, body: { clientEnv: 'live' } })
  const params = { ...OF_AGENT, conversationId: textAt(chat, 'conversationId') }
  const body = { clientEnv: 'live', message: 'When do you open?' }
  await client.ask('continueDebugChat', { params, body })
  await client.ask('readDebugChat', { params, query: { clientEnv: 'live' } })
}

/** Sends a picture of a broken lamp. */
async function sendPicture(
  client: Client,
  operation: 'uploadFile' | 'uploadHandoffFile',
  params: Params,
): Promise<{ readonly file_id: string }> {
  const headers = { 'content-type': 'image/png' }
  const sent = await client.ask(operation, { params, query: { name: 'lamp.png' }, headers, body: A_PICTURE })
  return { file_id: textAt(sent, 'file_id') }
}

/** A visitor's session over HTTP and the socket: pays, and asks for a person. */
async function visit(
  client: Client,
  platform: Platform,
  clock: FakeClock,
  reference: () => string,
): Promise<Params> {
  const body = { accountId: ACCOUNT, agentId: AGENT, environment: 'live', hosts: ['harbour.example'] }
  const made = await client.ask('createConnector', { body })
  client.authorize('connector', textAt(made, 'token'))
  await client.ask('listConnectors', { query: { accountId: ACCOUNT } })
  const id = textAt(made, 'id')
  await client.ask('readConnector', { params: { id } })
  const routed = { handoff: { mode: 'server', queueName: 'reception', timeoutSeconds: 300 } }
  await client.ask('updateConnector', { params: { id }, body: routed })
  const open = async () => {
    const token = await client.ask('issueAccessToken', { headers: { 'x-host': 'harbour.example' } })
    const accessToken = textAt(token, 'access_token')
    client.authorize('own', accessToken)
    const session = await client.ask('createSession', { body: { streaming_enabled: true, platform: 'web' } })
    const sessionId = textAt(session, 'session_id')
    const params = { sessionId }
    await client.ask('streamEvents', { params, query: { cursor: '0' } })
    await client.ask('postEvents', { params, body: { type: 'EVENT_TYPE_HEARTBEAT', payload: {} } })
    await client.ask('rateSession', { params, body: { score: 5, comment: 'Quick and friendly.' } })
    const { file_id: fileId } = await sendPicture(client, 'uploadFile', params)
    const address = await client.ask('readFileAddress', { params: { ...params, fileId } })
    await client.ask('readFile', { params: { token: textAt(address, 'url').split('/').at(-1) ?? '' } })
    const handshake = await platform.messaging.handshake({ sessionId, accessToken, cursor: null })
    if ('status' in handshake) throw new Error(`The handshake was refused: ${handshake.message}`)
    const pair = openSocketPair(handshake)
    const say = async (type: string, payload: object): Promise<void> => {
      pair.send({ type: `EVENT_TYPE_${type}`, payload })
      for (let round = 0; round < 5; round++) {
        await pair.flush()
        await clock.settle()
      }
    }
    await say('REQUEST_AI_AGENT_JOIN', {})
    return { say, ofFile: { ...OF_AGENT, recordId: sessionId, fileId } }
  }
  const paying = await open()
  await paying.say('USER_MESSAGE', { text: 'I want to pay' })
  const query = { ...OF_RECORDS, event_id_location: 'payload', event_id_path: 'payment.reference' }
  const payment = { payment: { reference: reference(), paid: true } }
  await client.ask('receiveExternalEvent', { query, body: payment })
  for (let handed = 0; handed < 3; handed++) {
    const { say } = await open()
    await say('USER_MESSAGE', { text: 'A person, please' })
  }
  await serve(client, platform, clock)
  await chat(client)
  await client.ask('rotateContextKeys', { params: { id }, body: {} })
  await client.ask('revokeContextKeys', { params: { id } })
  await client.ask('revokeConnector', { params: { id } })
  return paying.ofFile
}

/** A chat of another channel. */
async function chat(client: Client): Promise<void> {
  const begin = { integration_attributes: { guest: 'G-17', shared_id: 'GUEST-17' }, channel: 'whatsapp' }
  const begun = await client.ask('createChat', { params: OF_RECORDS, body: begin })
  const conversation_id = textAt(begun, 'conversation_id')
  const said = { conversation_id, message: 'When do you open?' }
  await client.ask('respondToChat', { params: OF_RECORDS, body: said })
  const params = { ...OF_RECORDS, conversation_id }
  await client.ask('listChatReplies', { params, query: { after: '0', wait: '0' } })
  await client.ask('respondToChat', {
    params: OF_RECORDS,
    body: { conversation_id, message: 'A person, please' },
  })
  await client.ask('closeChat', { params: OF_RECORDS, body: { conversation_id } })
  await learn(client, conversation_id)
}

/** Makes a test case of a conversation that went wrong. */
async function learn(client: Client, conversationId: string): Promise<void> {
  const branch = await client.ask('createBranch', { params: OF_AGENT, body: { branchName: 'Lessons' } })
  const params = { ...OF_AGENT, branchId: textAt(branch, 'branchId') }
  const expected = [{ message: 1, expectations: { contains: ['9 to 17'] } }]
  const body = { conversationId, name: 'Says the hours', expected }
  await client.ask('createTestCaseFromConversation', { params, body })
}

/** A live agent takes two visitors, of whom one goes back to the agent, and refuses the third. */
async function serve(client: Client, platform: Platform, clock: FakeClock): Promise<void> {
  const waiting = await client.ask('listHandoffs', { query: { status: 'waiting' } })
  const [first, second, third] = ['0', '1', '2'].map(index =>
    textAt(waiting, 'handoffs', index, 'handoff_id'),
  )
  const params = { id: first ?? '' }
  await client.ask('readHandoff', { params })
  await client.ask('acceptHandoff', { params, body: { agent: ADA } })
  await client.ask('showHandoffTyping', { params, body: { state: 'started' } })
  await client.ask('sendHandoffMessage', { params, body: { text: 'Ada here. How can I help?' } })
  const { file_id: fileId } = await sendPicture(client, 'uploadHandoffFile', params)
  await client.ask('readHandoffFileAddress', { params: { ...params, fileId } })
  const note = { text: 'Lost the key card. Call back on Monday.', agent: { id: ADA.id, name: ADA.name } }
  await client.ask('readHandoffVisitor', { params })
  await client.ask('summarizeHandoff', { params })
  await client.ask('suggestReplies', { params })
  await client.ask('writeHandoffNote', { params, body: note })
  await client.ask('listHandoffNotes', { params })
  await client.ask('updateColleague', { params: { liveAgentId: ADA.id }, body: { away: true } })
  await client.ask('updateColleague', { params: { liveAgentId: ADA.id }, body: { away: false } })
  const ofQueue = { queueName: 'billing' }
  const weekly = [{ day: 1, from: '09:00', to: '17:00' }]
  const hours = { time_zone: 'Europe/Berlin', weekly, holidays: ['2026-12-25'] }
  await client.ask('replaceQueueHours', { params: ofQueue, body: hours })
  await client.ask('listDeskQueues', {})
  await client.ask('deleteQueueHours', { params: ofQueue })
  const byTurns = { mode: 'round_robin', skills: ['de'] }
  await client.ask('replaceQueueAssignment', { params: ofQueue, body: byTurns })
  await client.ask('listQueueAssignments', {})
  await client.ask('deleteQueueAssignment', { params: ofQueue })
  const span = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }
  await client.ask('readDeskFigures', { query: span })
  const said = { code: 'hello', text: 'Hello {visitor}, {me} here.', language: 'en' }
  const reply = await client.ask('createSharedReply', { body: said })
  await client.ask('listSharedReplies', {})
  await client.ask('listHandoffReplies', { params })
  const ofReply = { replyId: textAt(reply, 'id') }
  await client.ask('updateSharedReply', { params: ofReply, body: { text: 'Hello {visitor}! {me} here.' } })
  await client.ask('deleteSharedReply', { params: ofReply })
  await client.ask('leaveHandoff', { params })
  const other = { id: second ?? '' }
  await client.ask('acceptHandoff', { params: other, body: { agent: ADA } })
  const ben = { liveAgentId: 'agent-8', name: 'Ben', queues: ['billing'] }
  const leave = await platform.desk.watch(ACCOUNT, () => {}, ben)
  await client.ask('listColleagues', {})
  const colleague = { agent_id: 'agent-8', reason: 'Knows the bill' }
  await client.ask('transferHandoff', { params: other, body: colleague })
  leave()
  await client.ask('returnHandoff', { params: other })
  await decline(client, platform, clock, {
    id: third ?? '',
    queue: textAt(waiting, 'handoffs', '2', 'queue_name'),
  })
  await client.ask('rejectHandoff', { params: { id: third ?? '' }, body: { reason: 'everyone is busy' } })
  await clock.settle()
}

/** A live agent declines a visitor of an assigned queue. */
async function decline(
  client: Client,
  platform: Platform,
  clock: FakeClock,
  { id, queue }: { readonly id: string; readonly queue: string },
): Promise<void> {
  await platform.desk.assignments.set(ACCOUNT, queue, { mode: 'round_robin' })
  const leave = await platform.desk.watch(ACCOUNT, () => {}, { liveAgentId: ADA.id, name: ADA.name })
  await clock.settle()
  await client.ask('declineHandoff', { params: { id }, body: { agent: { id: ADA.id } } })
  leave()
  await platform.desk.assignments.remove(ACCOUNT, queue)
}

async function read(client: Client, ofFile: Params): Promise<void> {
  const list = await client.ask('listConversations', {
    ...{ params: OF_RECORDS, query: { client_env: 'live', limit: '1' } },
  })
  const recordId = textAt(list, 'conversations', '0', 'id')
  await client.ask('readConversation', { params: { ...OF_RECORDS, conversation_id: recordId } })
  await client.ask('readHandoffState', { params: OF_RECORDS, query: { shared_id: 'GUEST-17' } })
  await client.ask('listConversationsV1', { params: OF_RECORDS, query: { limit: '1' } })
  const query = { start_time: '2026-01-01T00:00:00Z', end_time: '2026-01-01T00:10:00Z' }
  await client.ask('readConcurrency', { params: OF_RECORDS, query })
  await client.ask('listAgentConversations', { params: OF_AGENT, query: { limit: '1' } })
  await client.ask('listUnanswered', { params: OF_AGENT, query: { limit: '1' } })
  await client.ask('readAgentConversation', { params: { ...OF_AGENT, recordId } })
  const heard = { params: { ...OF_AGENT, recordId }, query: { direction: 'combined' } }
  await client.ask('readAgentConversationAudio', heard)
  await client.ask('readConversationFileAddress', { params: ofFile })
}

/** Asks main what visitors said, before it is published. */
async function rehearse(client: Client, platform: Platform): Promise<void> {
  const body = { branchId: 'main', last: 10 }
  const started = await client.ask('startReplay', { params: OF_AGENT, body })
  await platform.idle()
  const params = { ...OF_AGENT, replayId: textAt(started, 'id') }
  const report = await client.ask('readReplay', { params })
  const [verdict, reason, from, to] = ['verdict', 'reason', 'from', 'to'].map(field =>
    textAt(report, 'groups', '0', field),
  )
  await client.ask('listReplayTurns', { params, query: { limit: '1' } })
  await client.ask('acceptReplayGroup', { params, body: { verdict, reason, from, to, why: 'As planned.' } })
  await client.ask('listReplays', { params: OF_AGENT, query: { limit: '1' } })
}

/** Response of a receiver of webhooks. */
const TAKEN = { contentType: 'application/json', bytes: 17, text: '{"received":true}', isCut: false }

async function notify(client: Client, clock: FakeClock): Promise<void> {
  const body = {
    name: 'Back office',
    url: 'https://harbour.example/hooks',
    event_types: ['handoff.requested'],
  }
  const id = textAt(await client.ask('createWebhookEndpoint', { body }), 'id')
  await client.ask('listWebhookEndpoints')
  await client.ask('readWebhookEndpoint', { params: { id } })
  const types = { event_types: ['handoff.requested', 'conversation.completed'] }
  await client.ask('updateWebhookEndpoint', { params: { id }, body: types })
  await client.ask('rotateWebhookSecret', { params: { id }, body: { overlap_seconds: 3600 } })
  await client.ask('testWebhookEndpoint', { params: { id } })
  await clock.settle()
  const list = await client.ask('listWebhookDeliveries', { params: { id } })
  const deliveryId = textAt(list, 'deliveries', '0', 'id')
  await client.ask('readWebhookDelivery', { params: { id, deliveryId } })
  await client.ask('resendWebhookDelivery', { params: { id, deliveryId } })
  await client.ask('deleteWebhookEndpoint', { params: { id } })
}

async function alert(client: Client): Promise<void> {
  const body = {
    ...{ name: 'Slow replies', project_id: AGENT, metric: 'turn_latency_p95', operator: '>' },
    ...{ threshold_value: 3_000, window_duration: '5m' },
  }
  const params = { rule_id: textAt(await client.ask('createAlertRule', { body }), 'id') }
  await client.ask('listAlertRules', { query: { enabled: 'true' } })
  await client.ask('readAlertRule', { params })
  await client.ask('updateAlertRule', { params, body: { threshold_value: 2_500 } })
  await client.ask('listAlerts')
  await client.ask('deleteAlertRule', { params })
}

async function end(client: Client): Promise<void> {
  await client.ask('listAuditLog', { query: { accountId: ACCOUNT, limit: '1' } })
  await client.ask('listTokenKeys')
  await client.ask('rotateTokenKeys', { body: { revokeEarlier: false } })
  await client.ask('duplicateAgent', { params: OF_AGENT, body: { newAgentName: 'Night desk' } })
  await client.ask('updateAgent', { params: OF_AGENT, body: { name: 'Front desk by night' } })
  await client.ask('deleteAgent', { params: OF_AGENT })
}

/**
 * One exchange of each operation, as a client had it with a platform of its own whose clock and ids are the same each
 * time.
 *
 * @throws Error when an operation refuses its request
 */
export async function exampleExchanges(): Promise<ReadonlyMap<string, Exchange>> {
  const clock = createFakeClock()
  let reference = ''
  const platform = createPlatform({
    ...{ store: createMemoryStore(), clock, ids: createSequentialIds(), log: silentLog, rateLimits: null },
    verifyNumber: () => true,
    runtime: createScriptedRuntime(
      {
        greeting: 'Welcome to the harbour office.',
        messages: {
          'A person, please': ['One moment.', handoff],
          'I want to pay': async turn => {
            reference = await turn.expectExternalEvent()
            return 'Please pay on the page that opens.'
          },
        },
        externalEvent: 'Thank you.',
        // A replay finds out that main says something else before it is published.
        otherwise: ({ channel, deploymentId }) =>
          channel === 'REPLAY' && deploymentId === 'main' ? 'From eight on.' : 'We open at eight.',
      },
      clock,
    ),
    textCarrier: createScriptedCarrier(),
    speechProvider: createScriptedSpeech(),
    callProvider: createScriptedCallProvider(),
    deskAssistant: createScriptedAssistant(),
    files: createMemoryFiles(),
    recordings: { open: async () => (async function* () {})() },
    webhookSender: {
      objection: () => null,
      send: async () => ({ type: 'answered', status: 200, body: TAKEN }),
    },
  })
  const client = createClient(platform)
  const { secret } = await platform.access.createApiKey({ kind: 'operator' })
  await operate(client, secret)
  const live = await build(client)
  await configure(client)
  await notify(client, clock)
  await alert(client)
  await test(client, clock, live)
  const ofFile = await visit(client, platform, clock, () => reference)
  await read(client, ofFile)
  await rehearse(client, platform)
  await addVoices(client)
  await lookAfterSounds(client, platform)
  await reserveNumbers(client, platform)
  await end(client)
  await platform.close()
  return client.exchanges
}
