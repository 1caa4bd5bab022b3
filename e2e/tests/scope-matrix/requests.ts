import { type AgentId, type BranchId, wavOf } from '@colloquy/core'
import { deliveryId } from '@colloquy/core/store'
import { aNewEndpoint } from '@colloquy/core/testing'
import { routes } from '@colloquy/core/transport'
import { contextOf } from '@colloquy/test-support/context-of'
import { exampleBody } from '@colloquy/test-support/contract-document'
import { type Ids, idsAt, type SeededAgent, waitingHandoff } from '../../scope-matrix/seeded-agent.ts'
import type { World } from './world.ts'

/** How a valid request of a route is made. */
interface Recipe {
  /** @default the example of the contract */
  readonly body?: (ids: Ids, unique: string) => object
  /** In the place of JSON. */
  readonly raw?: { readonly type: string; readonly body: string }
  readonly query?: (ids: Ids) => Readonly<Record<string, string>>
  /** Makes what a success takes away or must not find twice; the ids replace the seeded ones. */
  readonly fresh?: (world: World, agent: SeededAgent, unique: string) => Promise<Ids>
  /** Puts back what a success took away. */
  readonly after?: (world: World, agent: SeededAgent) => Promise<unknown>
}

const BRANCH = '/v1/agents/:agentId/branches/:branchId'
const CONNECTORS = '/v1/agents/:agentId/telephony/connectors'
const NUMBERS = '/v1/agents/:agentId/telephony/phone-numbers'
const AUDIO = '/v1/agents/:agentId/audio-cache'
const CONVERSATIONS = '/:account_id/:project_id/conversations'
const CHAT = '/:account_id/:project_id/chat'
const HANDOFF = '/desk/v1/handoffs/:id'
const ENDPOINT = '/v1/webhook-endpoints/:id'
const RULE = '/v1/alert-rules/:rule_id'
const TURNS = [{ text: 'Hello?', expectations: {} }]
/** The live agent of the contract's examples. */
const ADA = { id: 'agent-7', name: 'Ada' }

/** A branch with a topic that main does not have. */
const freshBranch = async ({ platform }: World, { id }: SeededAgent, unique: string) => {
  const branch = await platform.agents.createBranch(id, { branchName: `Fresh ${unique}` })
  await platform.agents.createTopic(id, branch.id, { name: `Fresh ${unique}`, content: 'New.' })
  return { branchId: branch.id }
}

/** Main with something new, deployed to sandbox. */
const freshDeployment = async (world: World, agent: SeededAgent, unique: string) => {
  const { branchId } = await freshBranch(world, agent, unique)
  const { deployment } = await world.platform.agents.merge(agent.id, branchId)
  return { deploymentId: deployment.id }
}

/** A rollout that runs; nothing else can be deployed to its environment before it ends. */
const runningRollout = async (world: World, agent: SeededAgent, unique: string) => {
  const { deploymentId } = await freshDeployment(world, agent, unique)
  const { id } = await world.platform.agents.rollouts.start(agent.id, { deploymentId, basisPoints: 100 })
  return { rolloutId: id }
}

const endRollouts = async ({ platform: { agents } }: World, { id }: SeededAgent) => {
  for (const rollout of await agents.rollouts.list(id))
    if (rollout.end === null) await agents.rollouts.end(id, rollout.id, { winner: 'base' })
}

/** A version that is no longer the active one. */
const supersededDeployment = async (world: World, agent: SeededAgent, unique: string) => {
  const superseded = await freshDeployment(world, agent, unique)
  await freshDeployment(world, agent, `${unique} again`)
  return superseded
}

const freshHandoff = async ({ platform }: World, agent: SeededAgent) => ({
  id: await waitingHandoff(platform, agent),
})

const acceptedHandoff = async ({ platform }: World, agent: SeededAgent) => {
  const id = await waitingHandoff(platform, agent)
  await platform.desk.accept(agent.account.id, id, { ...ADA, avatarUrl: '' })
  return { id }
}

/** A waiting handoff that is offered to a live agent. */
const offeredHandoff = async (world: World, agent: SeededAgent) => {
  const { id } = await freshHandoff(world, agent)
  const { deskRosters } = contextOf(world.platform).store.access
  const accountId = agent.account.id
  const nobody = { accountId, away: [], offers: [], passed: [], turns: [], version: 0 }
  const before = (await deskRosters.find(accountId)) ?? nobody
  const offer = { handoffId: id, liveAgent: ADA, until: Number.MAX_SAFE_INTEGER }
  const { offers, version } = before
  await deskRosters.save({ ...before, offers: [...offers, offer], version: version + 1 }, version)
  return { id }
}

/** A handoff that a live agent has accepted, and a colleague at the desk. */
const attendedHandoff = async (world: World, agent: SeededAgent) => {
  await world.platform.desk.watch(agent.account.id, () => {}, { liveAgentId: 'agent-8' })
  return acceptedHandoff(world, agent)
}

const freshQueue = async ({ platform }: World, { account }: SeededAgent, unique: string) => {
  const queueName = `fresh ${unique}`
  await platform.desk.queues.setHours(account.id, queueName, { timeZone: 'UTC', weekly: [] })
  await platform.desk.assignments.set(account.id, queueName, { mode: 'least_busy' })
  return { queueName }
}

const freshReply = async ({ platform }: World, { account }: SeededAgent, unique: string) => ({
  replyId: (await platform.desk.replies.create(account.id, { code: `fresh-${unique}`, text: 'Hi.' })).id,
})

const freshEndpoint = async ({ platform }: World, { account }: SeededAgent) => ({
  id: (await platform.webhooks.createEndpoint(account.id, aNewEndpoint('https://fresh.example/'))).endpoint
    .id,
})

const newRule = {
  name: 'Fresh',
  metric: 'call_volume',
  operator: '>',
  threshold: 1,
  window: '5m',
} as const

const freshRule = async ({ platform }: World, { account, id }: SeededAgent) => ({
  rule_id: (await platform.alerts.createRule(account.id, { ...newRule, agentId: id })).id,
})

const freshDelivery = async ({ platform }: World, { account, ids }: SeededAgent) => {
  const { delivery } = await platform.webhooks.test(account.id, ids.endpointId ?? '')
  return { deliveryId: deliveryId(delivery) }
}

const newConnector = ({ account, id }: SeededAgent) => ({
  ...{ accountId: account.id, agentId: id, environment: 'live' as const, hosts: ['fresh.example'] },
})

const newTelephonyConnector = ({ account, id }: SeededAgent, name: string) => ({
  ...{ accountId: account.id, agentId: id, environment: 'live' as const, name },
})

const numberFor = (unique: string): string => `+44208${unique.padStart(7, '0')}`

/** A phone number of the agent that may go. */
const freshNumber = async ({ platform }: World, { id }: SeededAgent, unique: string) => {
  await platform.telephony.importNumbers(id, { phoneNumbers: [numberFor(unique)] })
  return { phoneNumber: numberFor(unique) }
}

/** A number of the agent's pool that is free. */
const freshPooled = async ({ platform }: World, { id }: SeededAgent, unique: string) => {
  await platform.telephony.addToPool(id, [numberFor(`3${unique}`)])
  return { phoneNumber: numberFor(`3${unique}`) }
}

/** Something that the agent has said, and that may go. */
const freshSound = async ({ platform }: World, { id }: SeededAgent, unique: string) => {
  const voice = { provider: 'SCRIPTED', providerVoiceId: 'ada', config: {} }
  await platform.voices.say(id, { ...voice, text: `Fresh ${unique}` })
  const { entries } = await platform.voices.cachedAudio(id, { limit: 200 })
  return { entryId: entries.find(({ transcript }) => transcript === `Fresh ${unique}`)?.id ?? '' }
}

/** A WAV of letters alone, so that it goes as text. */
const WAV = new TextDecoder().decode(wavOf(new Int16Array(4), 50))

const FORM = [
  ...['--line', 'content-disposition: form-data; name="settings"', '', '{"text":"Hello.","config":{}}'],
  ...['--line', 'content-disposition: form-data; name="file"; filename="a.wav"', 'content-type: audio/wav'],
  ...['', WAV, '--line--', ''],
].join('\r\n')

/** A chat with the agent that has just begun. */
const freshChat = async ({ platform }: World, { connectorToken }: SeededAgent) => {
  const connector = await platform.access.connectorByToken(connectorToken)
  if (connector === null) throw new Error('The connector of the agent is gone.')
  return { conversation_id: (await platform.chat.create(connector, {})).conversationId }
}

/** A topic, attribute, variant or test case that may go. */
const freshResource =
  (
    param: string,
    create: (
      world: World,
      agentId: AgentId,
      branchId: BranchId,
      name: string,
    ) => Promise<{ readonly id: string }>,
  ): NonNullable<Recipe['fresh']> =>
  async (world, { id, ids }, unique) => ({
    [param]: (await create(world, id, ids.branchId ?? '', `fresh_${unique}`)).id,
  })

/** Routes that need more than their path and the body that the contract shows. */
const RECIPES: Readonly<Record<string, Recipe>> = {
  'POST /v1/accounts/:accountId/agents': {
    body: () => ({ name: 'New', responseSettings: { greeting: 'Hello.' } }),
  },
  [`DELETE ${BRANCH}`]: { fresh: freshBranch },
  [`POST ${BRANCH}/merge`]: { fresh: freshBranch },
  [`DELETE ${BRANCH}/knowledge-base/topics/:topicId`]: {
    fresh: freshResource('topicId', ({ platform }, id, branch, name) =>
      platform.agents.createTopic(id, branch, { name, content: 'New.' }),
    ),
  },
  [`DELETE ${BRANCH}/attributes/:attributeId`]: {
    fresh: freshResource('attributeId', ({ platform }, id, branch, name) =>
      platform.agents.createAttribute(id, branch, { name }),
    ),
  },
  [`POST ${BRANCH}/variants`]: { body: (_, unique) => ({ name: `New ${unique}` }) },
  [`DELETE ${BRANCH}/variants/:variantId`]: {
    fresh: freshResource('variantId', ({ platform }, id, branch, name) =>
      platform.agents.createVariant(id, branch, { name }),
    ),
  },
  [`POST ${BRANCH}/test-cases/from-conversation`]: {
    body: ({ chat_id: conversationId }, unique) => ({
      ...{ conversationId, name: `Of ${unique}`, expected: [{ message: 1, expectations: { ends: false } }] },
    }),
  },
  [`DELETE ${BRANCH}/test-cases/:testCaseId`]: {
    fresh: freshResource('testCaseId', ({ platform }, id, branch, name) =>
      platform.agents.testCases.create(id, branch, { name, turns: TURNS }),
    ),
  },
  'POST /v1/agents/:agentId/replays/:replayId/accept': {
    body: () => ({
      ...{ verdict: 'not_replayable', reason: 'recorded_elsewhere', from: '', to: '' },
      why: 'A person was called.',
    }),
  },
  'GET /v1/agents/:agentId/deployments': { query: () => ({ environment: 'sandbox' }) },
  'POST /v1/agents/:agentId/deployments/publish': { fresh: freshDeployment },
  'POST /v1/agents/:agentId/deployments/:deploymentId/promote': { fresh: freshDeployment },
  'POST /v1/agents/:agentId/deployments/:deploymentId/rollback': { fresh: supersededDeployment },
  'POST /v1/agents/:agentId/rollouts': { fresh: freshDeployment, after: endRollouts },
  'PATCH /v1/agents/:agentId/rollouts/:rolloutId': { fresh: runningRollout, after: endRollouts },
  'POST /v1/agents/:agentId/rollouts/:rolloutId/end': { fresh: runningRollout },
  'DELETE /v1/agents/:agentId': {
    async after({ platform, reissueAgentKeys }, { id, account }) {
      await platform.agents.create({ accountId: account.id, agentId: id, name: 'Again', greeting: 'Hello.' })
      await reissueAgentKeys()
    },
  },
  'POST /v1/agents/:agentId/debug-chat/:conversationId': {
    body: () => ({ clientEnv: 'sandbox', message: 'Hello?' }),
  },
  'GET /v1/agents/:agentId/debug-chat/:conversationId': { query: () => ({ clientEnv: 'sandbox' }) },
  [`POST /v1${CHAT}/respond`]: { fresh: freshChat },
  [`GET /v1${CHAT}/:conversation_id/replies`]: { fresh: freshChat, query: () => ({ after: '0' }) },
  [`PUT /v1${CHAT}/close`]: { fresh: freshChat },
  [`GET /v1${CONVERSATIONS}/concurrency`]: {
    query: () => ({ start_time: '2026-03-02T10:00:00Z', end_time: '2026-03-02T13:00:00Z' }),
  },
  'POST /v1/external-events/webhook': {
    query: ids => ({
      ...{ event_id_location: 'querystring', event_id_path: 'event', event: ids.eventId ?? '' },
      ...{ account_id: ids.account_id ?? '', project_id: ids.project_id ?? '' },
    }),
    body: () => ({ paid: true }),
  },
  'POST /operator/v1/accounts': {
    body: (_, unique) => ({ slug: `new-${unique.toLowerCase()}`, name: 'New' }),
  },
  'DELETE /operator/v1/api-keys/:id': {
    fresh: async ({ platform }, { account }) => ({
      id: (await platform.access.createApiKey({ kind: 'desk', accountId: account.id })).key.id,
    }),
  },
  'DELETE /operator/v1/connectors/:id/context-keys': {
    fresh: async ({ platform }, agent) => {
      const { connector } = await platform.access.createConnector(newConnector(agent))
      await platform.access.rotateContextKeys(connector.id)
      return { id: connector.id }
    },
  },
  'DELETE /operator/v1/connectors/:id': {
    fresh: async ({ platform }, agent) => ({
      id: (await platform.access.createConnector(newConnector(agent))).connector.id,
    }),
  },
  'DELETE /v1/agents/:agentId/telephony/connectors/:connectorId': {
    fresh: async ({ platform }, agent, unique) => ({
      connectorId: (await platform.access.createTelephonyConnector(newTelephonyConnector(agent, unique))).id,
    }),
  },
  [`POST ${CONNECTORS}/batch`]: { body: ({ connectorId }) => ({ connectorIds: [connectorId] }) },
  [`PATCH ${CONNECTORS}/batch`]: {
    body: ({ connectorId }, unique) => ({
      updates: [{ connectorId, asrLangCode: `en-${unique}` }],
    }),
  },
  [`POST ${NUMBERS}`]: { body: (_, unique) => ({ phoneNumbers: [numberFor(`1${unique}`)] }) },
  [`DELETE ${NUMBERS}`]: {
    fresh: freshNumber,
    body: ({ phoneNumber }) => ({ phoneNumbers: [phoneNumber] }),
  },
  [`POST ${NUMBERS}/batch`]: { body: ({ phoneNumber }) => ({ phoneNumbers: [phoneNumber] }) },
  [`POST ${NUMBERS}/:phoneNumber`]: {
    fresh: async (_, __, unique) => ({ phoneNumber: numberFor(`2${unique}`) }),
  },
  [`PATCH ${NUMBERS}/:phoneNumber`]: { fresh: freshNumber },
  [`DELETE ${NUMBERS}/:phoneNumber`]: { fresh: freshNumber },
  [`POST ${HANDOFF}/accept`]: { fresh: freshHandoff },
  [`POST ${HANDOFF}/decline`]: { fresh: offeredHandoff },
  [`POST ${HANDOFF}/typing`]: { fresh: acceptedHandoff },
  'PUT /desk/v1/queues/:queueName/hours': { fresh: freshQueue },
  'DELETE /desk/v1/queues/:queueName/hours': { fresh: freshQueue },
  'GET /desk/v1/figures': { query: () => ({ from: '2026-03-02', to: '2026-03-03' }) },
  'PUT /desk/v1/queues/:queueName/assignment': { fresh: freshQueue },
  'DELETE /desk/v1/queues/:queueName/assignment': { fresh: freshQueue },
  'DELETE /desk/v1/replies/:replyId': { fresh: freshReply },
  [`POST ${HANDOFF}/suggestions`]: { fresh: acceptedHandoff },
  [`POST ${HANDOFF}/files`]: { fresh: acceptedHandoff, raw: { type: 'text/plain', body: 'Room 12.' } },
  [`POST ${HANDOFF}/messages`]: { fresh: acceptedHandoff },
  [`POST ${HANDOFF}/leave`]: { fresh: acceptedHandoff },
  [`POST ${HANDOFF}/return`]: { fresh: acceptedHandoff },
  [`POST ${HANDOFF}/transfer`]: { fresh: attendedHandoff },
  [`POST ${HANDOFF}/reject`]: { fresh: freshHandoff },
  'GET /v1/:account_id/:project_id/handoff_state': {
    query: ({ shared_id = '' }) => ({ shared_id }),
  },
  'POST /v1/outbound-calling': { body: (_, unique) => ({ to_number: numberFor(unique) }) },
  'POST /v1/agents/:agentId/telephony/outbound-calls': {
    body: (_, unique) => ({ toNumber: numberFor(unique), environment: 'live' }),
  },
  'GET /v1/agents/:agentId/telephony/outbound-calls/:callSid/status': {
    query: () => ({ environment: 'live' }),
  },
  'POST /v1/outbound-sms': {
    body: (_, unique) => ({ user_number: numberFor(unique), message: 'Your table is ready.' }),
  },
  [`DELETE ${AUDIO}/:entryId`]: { fresh: freshSound },
  [`POST ${AUDIO}/bulk-delete`]: { fresh: freshSound, body: ({ entryId }) => ({ ids: [entryId] }) },
  [`PATCH ${AUDIO}/:entryId/file`]: { raw: { type: 'audio/wav', body: WAV } },
  [`PUT ${AUDIO}/:entryId/details`]: { raw: { type: 'multipart/form-data; boundary=line', body: FORM } },
  'POST /v1/conversations/dni-reservation': { fresh: freshPooled },
  'POST /operator/v1/phone-numbers': {
    body: (_, unique) => ({ agentId: 'PROJECT-quince', phoneNumbers: [numberFor(`5${unique}`)] }),
  },
  'GET /operator/v1/phone-numbers': { query: () => ({ agentId: 'PROJECT-quince' }) },
  'DELETE /operator/v1/phone-numbers/:phoneNumber': { fresh: freshNumber },
  'POST /operator/v1/pooled-numbers': {
    body: (_, unique) => ({ agentId: 'PROJECT-quince', phoneNumbers: [numberFor(`4${unique}`)] }),
  },
  'GET /operator/v1/pooled-numbers': { query: () => ({ agentId: 'PROJECT-quince' }) },
  'DELETE /operator/v1/pooled-numbers/:phoneNumber': { fresh: freshPooled },
  [`DELETE ${RULE}`]: { fresh: freshRule },
  [`DELETE ${ENDPOINT}`]: { fresh: freshEndpoint },
  [`POST ${ENDPOINT}/deliveries/:deliveryId/resend`]: { fresh: freshDelivery },
}

/** Routes that stand in `RECIPES`; a name that is no route is a mistake. */
export const RECIPE_NAMES: readonly string[] = Object.keys(RECIPES)

/** A request, save its host and credential. */
export interface Ask {
  readonly method: string
  readonly path: string
  readonly body: string | null
  /** What the body is, where it is no JSON. */
  readonly type: string | null
}

/** Fields that name something which may be there once. */
const NAMES: readonly string[] = ['name', 'branchName', 'newAgentName', 'code']

const OPERATIONS: ReadonlyMap<string, string> = new Map(
  routes.map(({ method, path, operation }) => [`${method} ${path}`, operation]),
)

/** The body that the contract shows of a route, about what the ids name; null without one. */
function shownBody(name: string, ids: Ids, unique: string): object | null {
  const example = exampleBody(OPERATIONS.get(name) ?? '')
  if (typeof example !== 'object' || example === null) return null
  return Object.fromEntries(
    Object.entries(example).map(([field, value]) => {
      if (NAMES.includes(field)) return [field, `${value}_${unique}`]
      return [field, ids[field] ?? value]
    }),
  )
}

let asked = 0

/** A valid request of a route, with those path parameters over the agent's own. */
export function ask(name: string, agent: SeededAgent, names: Ids): Ask {
  const [method = '', pattern = ''] = name.split(' ')
  const recipe = RECIPES[name] ?? {}
  const ids: Ids = { ...idsAt(pattern, agent), ...names }
  const path = pattern.replace(/:(\w+)/g, (_, param: string) => {
    // Without it, another route would be asked, or none.
    if (!ids[param]) throw new Error(`${name}: nothing fills :${param}`)
    return encodeURIComponent(ids[param])
  })
  const query = new URLSearchParams(recipe.query?.(ids) ?? {}).toString()
  asked += 1
  const body = recipe.body?.(ids, String(asked)) ?? shownBody(name, ids, String(asked))
  return {
    method,
    path: query === '' ? path : `${path}?${query}`,
    body: recipe.raw?.body ?? (body === null ? null : JSON.stringify(body)),
    type: recipe.raw?.type ?? null,
  }
}

/** The same for one that is to succeed: what it needs anew is made before. */
export async function askAfresh(name: string, world: World, agent: SeededAgent, names: Ids): Promise<Ask> {
  asked += 1
  const fresh = (await RECIPES[name]?.fresh?.(world, agent, String(asked))) ?? {}
  return ask(name, agent, { ...fresh, ...names })
}

/** Puts back what a request that succeeded took away. */
export async function restore(name: string, world: World, agent: SeededAgent): Promise<void> {
  await RECIPES[name]?.after?.(world, agent)
}
