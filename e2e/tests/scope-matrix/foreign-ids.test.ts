import { createFetchHandler } from '@colloquy/core/transport'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { UNKNOWN } from './asking.ts'
import { createWorld, type World } from './world.ts'

const AGENT = '/v1/agents/PROJECT-quince'
const TELEPHONY = `${AGENT}/telephony`
const NUMBERS = `${TELEPHONY}/phone-numbers`
const NO_NUMBER = '+442079469999'

type Ids = Readonly<Record<string, string>>

/** A request of an account's key that names an id beside its path's agent, and the id that stands there. */
interface Naming {
  readonly what: string
  /** The other account's id. */
  readonly foreign: (ids: Ids) => string
  /** One of the same kind that nobody has. */
  readonly nobodys: string
  readonly kind?: 'workspace' | 'project' | 'desk'
  readonly line: (id: string, own: Ids) => string
  readonly body?: (id: string, own: Ids) => unknown
}

const at = (name: string) => (ids: Ids) => ids[name] ?? ''

/** A version of other content than what is live. */
let candidateId = ''

const EXPECTED = [{ message: 1, expectations: { ends: false } }]

/** Every body, query and second id of a path in which a caller names something that belongs to an account. */
const NAMINGS: readonly Naming[] = [
  {
    ...{ what: 'the conversation of a test case', foreign: at('chat_id'), nobodys: UNKNOWN },
    line: (_, own) => `POST ${AGENT}/branches/${own.branchId}/test-cases/from-conversation`,
    body: conversationId => ({ conversationId, expected: EXPECTED }),
  },
  {
    ...{ what: 'the connector of a number to import', foreign: at('connectorId'), nobodys: UNKNOWN },
    line: () => `POST ${NUMBERS}/+442079468888`,
    body: connectorId => ({ connectorId }),
  },
  {
    ...{ what: 'the connector of an own number', foreign: at('connectorId'), nobodys: UNKNOWN },
    line: (_, own) => `PATCH ${NUMBERS}/${own.phoneNumber}`,
    body: connectorId => ({ connectorId }),
  },
  {
    ...{ what: 'connectors to read', foreign: at('connectorId'), nobodys: UNKNOWN },
    line: () => `POST ${TELEPHONY}/connectors/batch`,
    body: id => ({ connectorIds: [id] }),
  },
  {
    ...{ what: 'connectors to change', foreign: at('connectorId'), nobodys: UNKNOWN },
    line: () => `PATCH ${TELEPHONY}/connectors/batch`,
    body: connectorId => ({ updates: [{ connectorId, voiceName: 'mine' }] }),
  },
  {
    ...{ what: 'a number to import', foreign: at('phoneNumber'), nobodys: NO_NUMBER },
    line: id => `POST ${NUMBERS}/${id}`,
  },
  {
    ...{ what: 'numbers to import', foreign: at('phoneNumber'), nobodys: NO_NUMBER },
    line: () => `POST ${NUMBERS}`,
    body: id => ({ phoneNumbers: [id] }),
  },
  {
    ...{ what: 'numbers to read', foreign: at('phoneNumber'), nobodys: NO_NUMBER },
    line: () => `POST ${NUMBERS}/batch`,
    body: id => ({ phoneNumbers: [id] }),
  },
  {
    ...{ what: 'numbers to delete', foreign: at('phoneNumber'), nobodys: NO_NUMBER },
    line: () => `DELETE ${NUMBERS}`,
    body: id => ({ phoneNumbers: [id] }),
  },
  {
    ...{ what: 'a number to look up', foreign: at('phoneNumber'), nobodys: NO_NUMBER },
    line: () => `POST ${TELEPHONY}/connectors/lookup`,
    body: phoneNumber => ({ phoneNumber }),
  },
  {
    ...{ what: 'numbers of a connector', foreign: at('connectorId'), nobodys: UNKNOWN },
    line: id => `GET ${NUMBERS}?connectorId=${id}`,
  },
  {
    ...{ what: 'the sender of a text', foreign: at('phoneNumber'), nobodys: NO_NUMBER, kind: 'project' },
    line: () => 'POST /v1/outbound-sms',
    body: agent_number => ({ user_number: '+442079460050', message: 'Hello', agent_number }),
  },
  {
    ...{ what: 'the service of a text', foreign: () => 'MG-sorrel', nobodys: 'MG-nobody', kind: 'project' },
    line: () => 'POST /v1/outbound-sms',
    body: id => ({ user_number: 'rcs:+442079460050', message: 'Hello', messaging_service_sid: id }),
  },
  {
    ...{ what: 'the variant of a call', foreign: at('variantId'), nobodys: UNKNOWN },
    line: () => `POST ${TELEPHONY}/outbound-calls`,
    body: variantId => ({ toNumber: '+442079460050', environment: 'live', variantId }),
  },
  {
    ...{ what: 'a call', foreign: at('callSid'), nobodys: 'OUT-00000000-0000-4000-8000-00000000ffff' },
    line: id => `GET ${TELEPHONY}/outbound-calls/${id}/status?environment=live`,
  },
  {
    ...{ what: 'the agent of an alert rule', foreign: () => 'PROJECT-sorrel', nobodys: 'PROJECT-nobody' },
    line: () => 'POST /v1/alert-rules',
    body: project_id => ({
      ...{ name: 'x', project_id, metric: 'api_errors', operator: '>', threshold_value: 1 },
      window_duration: '5m',
    }),
  },
  {
    ...{ what: 'the agent of alerts', foreign: () => 'PROJECT-sorrel', nobodys: 'PROJECT-nobody' },
    line: id => `GET /v1/alerts?project_id=${id}`,
  },
  {
    ...{ what: 'the deployment of a test run', foreign: at('deploymentId'), nobodys: UNKNOWN },
    line: () => `POST ${AGENT}/test-runs`,
    body: deploymentId => ({ deploymentId }),
  },
  {
    ...{ what: 'the deployment of a replay', foreign: at('deploymentId'), nobodys: UNKNOWN },
    line: () => `POST ${AGENT}/replays`,
    body: deploymentId => ({ deploymentId }),
  },
  {
    ...{ what: 'the branch of a replay', foreign: at('branchId'), nobodys: 'BRANCH-nobody' },
    line: () => `POST ${AGENT}/replays`,
    body: branchId => ({ branchId }),
  },
  {
    ...{ what: 'the candidate of a rollout', foreign: at('deploymentId'), nobodys: UNKNOWN },
    line: () => `POST ${AGENT}/rollouts`,
    body: deploymentId => ({ deploymentId, basisPoints: 100 }),
  },
  {
    ...{ what: 'the guard of a rollout', foreign: at('rule_id'), nobodys: 'ar_nobodys' },
    line: () => `POST ${AGENT}/rollouts`,
    body: id => ({ deploymentId: candidateId, basisPoints: 100, guards: [id] }),
  },
  {
    ...{ what: 'the agent of a shared reply', foreign: () => 'PROJECT-sorrel', nobodys: 'PROJECT-nobody' },
    kind: 'desk',
    line: () => 'POST /desk/v1/replies',
    body: project_id => ({ code: 'hers', text: 'Hello.', project_id }),
  },
  {
    ...{ what: 'a shared reply to change', foreign: at('replyId'), nobodys: 'REPLY-nobodys' },
    kind: 'desk',
    line: id => `PATCH /desk/v1/replies/${id}`,
    body: () => ({ text: 'Hello.' }),
  },
  {
    ...{ what: 'the file of a message', foreign: at('handoffFileId'), nobodys: UNKNOWN, kind: 'desk' },
    line: (_, own) => `POST /desk/v1/handoffs/${own.handoffId}/messages`,
    body: id => ({ message_id: 'm-1', text: 'See.', file_ids: [id] }),
  },
  {
    ...{ what: 'the live agent of a transfer', foreign: at('liveAgentId'), nobodys: 'PROJECT-nobody' },
    kind: 'desk',
    line: (_, own) => `POST /desk/v1/handoffs/${own.handoffId}/transfer`,
    body: agent_id => ({ agent_id }),
  },
  {
    ...{ what: 'the second deployment of a difference', foreign: at('deploymentId'), nobodys: UNKNOWN },
    line: (id, own) => `GET ${AGENT}/deployments/${own.deploymentId}/diff/${id}`,
  },
  {
    ...{ what: 'sounds to delete', foreign: at('entryId'), nobodys: '999999' },
    line: () => `POST ${AGENT}/audio-cache/bulk-delete`,
    body: id => ({ ids: [id] }),
  },
]

let world: World
beforeAll(async () => {
  world = await createWorld({ hosts: null, verifyNumber: null })
  const { agents, desk, telephony } = world.platform
  await telephony.importNumbers('PROJECT-sorrel', { phoneNumbers: ['MG-sorrel'] })
  const { account, id, ids } = world.agents.own
  const branch = await agents.createBranch(id, { branchName: 'candidate' })
  await agents.updateBehavior(id, branch.id, 'Be brief.')
  candidateId = (await agents.merge(id, branch.id)).deployment.id
  await desk.accept(account.id, ids.handoffId ?? '', { id: 'ada', name: 'Ada', avatarUrl: '' })
})
afterAll(() => world.close())

test.each(NAMINGS)('SM4 $what: one of another account is answered like one that nobody has', async naming => {
  const { agents, keys, platform } = world
  const handle = createFetchHandler(platform, { allowInsecure: true, address: () => '127.0.0.1' })
  const { kind = 'workspace', body, line, nobodys } = naming
  const key = keys({ name: kind })
  const ask = async (id: string) => {
    const [method = '', path = ''] = line(id, agents.own.ids).split(' ')
    const headers = {
      ...{ 'x-api-key': key, 'x-ai-auth-token': key, 'content-type': 'application/json' },
      'x-token-id': agents.own.ids.connectorId ?? '',
    }
    const sent = body === undefined ? {} : { body: JSON.stringify(body(id, agents.own.ids)) }
    const url = `http://localhost${path.replaceAll('+', '%2B')}`
    const answer = await handle(new Request(url, { method, headers, ...sent }))
    const text = ((await answer?.text()) ?? '').replaceAll(id, 'THE-ID').replace(/"error_id":"[^"]*"/, '')
    return { status: answer?.status, text }
  }
  const foreign = naming.foreign(agents.foreign.ids)
  expect(foreign).not.toBe('')
  const answer = await ask(foreign)
  expect(answer).toEqual(await ask(nobodys))
  expect(answer.text).not.toMatch(/sorrel|yarrow|meadow/i)
})
