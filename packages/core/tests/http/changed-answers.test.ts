import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { beforeAll, describe, expect, test } from 'vitest'
import { createDispatcher, type Dispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { request } from '../support/request.ts'

const AGENT = '/v1/agents/PROJECT-A'
const BRANCH = `${AGENT}/branches/$branch`
const CONFIGS = `${AGENT}/real-time-configs`
const TIME = '2026-01-01T00:00:00.000Z'

let dispatcher: Dispatcher
let key: string
let operatorKey: string

/** Ids that answers brought, by the names under which later steps speak of them. */
const ids = new Map<string, string>()
const named = (text: string): string =>
  text.replace(/\$([a-z]+)/g, (whole, name: string) => ids.get(name) ?? whole)

/** Sends a request, and learns the id of its answer as `$learn`. */
async function send(line: string, body: unknown, learn: string | undefined) {
  const answer = await dispatcher.handle(
    request(named(line), {
      headers: {
        authorization: `Bearer ${operatorKey}`,
        'x-api-key': key,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: named(JSON.stringify(body)) }),
    }),
  )
  const id = /"(?:id|branchId|connectorId)":"([^"]*)"/.exec(answer.body ?? '')?.[1]
  if (learn !== undefined && id !== undefined) ids.set(learn, id)
  return answer
}

beforeAll(async () => {
  const { platform, keys } = await createPopulatedPlatform()
  dispatcher = createDispatcher(platform, routes)
  key = keys.workspace
  operatorKey = keys.operator
  const { access } = platform
  const messaging = { accountId: 'ws-one', agentId: 'PROJECT-A', environment: 'live', hosts: [] } as const
  const { connector } = await access.createConnector(messaging)
  ids.set('messaging', connector.id)
})

/** A request, and every byte of its answer but for the order of the fields. */
interface Step {
  readonly line: string
  readonly body?: unknown
  readonly status: number
  readonly answer: unknown
  /** Under which name later steps speak of the id in the answer. */
  readonly learn?: string
}

const step = (
  line: string,
  body: unknown,
  status: number,
  answer: unknown,
  learn?: string,
): [string, Step] => [line, { line, body, status, answer, ...(learn === undefined ? {} : { learn }) }]

/** Sends it, and compares the whole answer. */
async function expectAnswer({ line, body, status, answer, learn }: Step): Promise<void> {
  const given = await send(line, body, learn)
  expect([
    given.status,
    JSON.parse((given.body ?? 'null').replace(/"error_id":"[^"]+"/, '"error_id":"any"')),
  ]).toEqual([status, JSON.parse(named(JSON.stringify(answer)))])
}

const page = (clientEnv: string, rest: object = {}) => ({ clientEnv, variables: {}, ...rest })
const grand = {
  ...{ id: '$variant', name: 'grand', isDefault: false },
  attributeValues: { values: { $attribute: 'Grand' } },
}
const schema = { type: 'object' }

const LINES = `${AGENT}/telephony/connectors`
const NEW_LINE = 'POST /operator/v1/telephony-connectors'
const given = { accountId: 'one', agentId: 'PROJECT-A', environment: 'live', name: 'Reception' }
const line = (rest: object = {}) => ({
  ...{ connectorId: '$line', name: 'Reception', accountId: 'ws-one', projectId: 'PROJECT-A' },
  ...{ clientEnv: 'live', variantId: '', asrLangCode: 'en-US', ttsLangCode: 'en-US', voiceName: '' },
  ...{ disableHandoff: false, ...rest },
})
const second = { connectorId: '$second', asrLangCode: 'de-DE', ttsLangCode: 'fr-FR', voiceName: 'Ada' }
const refused = (code: string, message: string, about?: string) => ({
  ...{ success: false, error: message, error_id: 'any', error_code: code },
  ...{ error_message: message, data: null, ...(about === undefined ? {} : { about: [about] }) },
})

describe('answers that changed', () => {
  test.each([
    step(`GET ${CONFIGS}`, undefined, 200, {
      configPages: [page('sandbox'), page('pre-release'), page('live')],
    }),
    step(`GET ${CONFIGS}/live`, undefined, 200, page('live')),
    step(
      `PATCH ${CONFIGS}/live/variables`,
      { variables: { desk: { open: true, until: 22 }, notice: 'x' } },
      200,
      { clientEnv: 'live', variables: { desk: { open: true, until: 22 }, notice: 'x' }, lastUpdated: TIME },
    ),
    step(
      `PATCH ${CONFIGS}/live/variables`,
      { variables: { desk: { open: false, until: null }, notice: null, none: null } },
      200,
      { clientEnv: 'live', variables: { desk: { open: false, until: null } }, lastUpdated: TIME },
    ),
    step(`PUT ${CONFIGS}/live/schema`, { schema }, 200, {
      ...{ clientEnv: 'live', variables: { desk: { open: false, until: null } } },
      ...{ schema, lastUpdated: TIME },
    }),
    step(`GET ${CONFIGS}`, undefined, 200, {
      configPages: [
        page('sandbox'),
        page('pre-release'),
        page('live', { variables: { desk: { open: false, until: null } }, schema, lastUpdated: TIME }),
      ],
    }),
    step(`PUT ${CONFIGS}/live/schema`, { schema: null }, 200, {
      ...{ clientEnv: 'live', variables: { desk: { open: false, until: null } }, lastUpdated: TIME },
    }),
  ])('AG62 %s answers exactly what stands here', (_, each) => expectAnswer(each))

  test.each([
    step(
      `POST ${AGENT}/branches`,
      { branchName: 'b' },
      201,
      { branchId: '$branch', sequenceId: '1' },
      'branch',
    ),
    step(`GET ${BRANCH}/attributes`, undefined, 200, { attributes: [] }),
    step(
      `POST ${BRANCH}/attributes`,
      { name: 'hotel' },
      201,
      { id: '$attribute', name: 'hotel' },
      'attribute',
    ),
    step(`GET ${BRANCH}/attributes`, undefined, 200, { attributes: [{ id: '$attribute', name: 'hotel' }] }),
    step(`GET ${BRANCH}/attributes/$attribute`, undefined, 200, { id: '$attribute', name: 'hotel' }),
    step(`PATCH ${BRANCH}/attributes/$attribute`, { name: 'house' }, 200, {
      id: '$attribute',
      name: 'house',
    }),
    step(`GET ${BRANCH}/variants`, undefined, 200, { variants: [] }),
    step(
      `POST ${BRANCH}/variants`,
      { name: 'usual', isDefault: true },
      201,
      { id: '$usual', name: 'usual', isDefault: true, attributeValues: { values: {} } },
      'usual',
    ),
    step(
      `POST ${BRANCH}/variants`,
      { name: 'grand', attributeValues: { values: { $attribute: 'Grand' } } },
      201,
      grand,
      'variant',
    ),
    step(`GET ${BRANCH}/variants`, undefined, 200, {
      variants: [grand, { id: '$usual', name: 'usual', isDefault: true, attributeValues: { values: {} } }],
    }),
    step(`GET ${BRANCH}/variants/$variant`, undefined, 200, grand),
    step(`PATCH ${BRANCH}/variants/$variant`, { name: 'great' }, 200, { ...grand, name: 'great' }),
    step(`DELETE ${BRANCH}/variants/$variant`, undefined, 200, { id: '$variant' }),
    step(`DELETE ${BRANCH}/attributes/$attribute`, undefined, 200, { id: '$attribute' }),
    step(`GET ${BRANCH}/attributes`, undefined, 200, { attributes: [] }),
    step(`GET ${BRANCH}/knowledge-base/topics`, undefined, 200, []),
    step(`GET ${BRANCH}/test-cases`, undefined, 200, []),
  ])('%s answers exactly what stands here', (_, each) => expectAnswer(each))

  test.each([
    step(`GET ${LINES}`, undefined, 200, { connectors: [] }),
    step(NEW_LINE, given, 201, line(), 'line'),
    step(`GET ${LINES}`, undefined, 200, { connectors: [line()] }),
    step(
      NEW_LINE,
      {
        ...{ ...given, asrLangCode: 'de-DE', ttsLangCode: 'fr-FR', voiceName: 'Ada' },
        ...{ variantId: 'v1', disableHandoff: true },
      },
      201,
      line({ ...second, variantId: 'v1', disableHandoff: true }),
      'second',
    ),
    step(
      NEW_LINE,
      { ...given, asrLangCode: 'it-IT' },
      201,
      {
        ...line({ connectorId: '$third', asrLangCode: 'it-IT', ttsLangCode: 'it-IT' }),
      },
      'third',
    ),
    step(`DELETE ${LINES}/$third`, undefined, 200, { deletedConnector: '$third', deletedPhoneNumbers: [] }),
    step(`GET ${LINES}/$second`, undefined, 200, line({ ...second, variantId: 'v1', disableHandoff: true })),
    step(`PATCH ${LINES}/$second`, { asrLangCode: 'es-ES', voiceName: 'Bo' }, 200, {
      ...line({ ...second, variantId: 'v1', disableHandoff: true, asrLangCode: 'es-ES', voiceName: 'Bo' }),
    }),
    step(`PATCH ${LINES}/$line`, {}, 200, line()),
    step(`PATCH ${LINES}/$line`, { variantId: 'v2' }, 200, line({ variantId: 'v2' })),
    step(`PATCH ${LINES}/$line`, { variantId: null }, 200, line()),
    step(`PATCH ${LINES}/$second`, { projectId: 'PROJECT-B' }, 200, {
      ...line({ ...second, projectId: 'PROJECT-B', disableHandoff: true }),
      ...{ asrLangCode: 'es-ES', voiceName: 'Bo' },
    }),
    step(`GET ${LINES}`, undefined, 200, { connectors: [line()] }),
    ...[
      `GET ${LINES}/$second`,
      `GET ${LINES}/$third`,
      `GET ${LINES}/$messaging`,
      `DELETE ${LINES}/$third`,
    ].map(one =>
      step(
        one,
        undefined,
        404,
        refused('CONNECTORS_NOT_FOUND', 'The agent has no telephony connector of that id.'),
      ),
    ),
    step(`DELETE ${LINES}/$messaging`, undefined, 404, {
      ...refused('CONNECTORS_NOT_FOUND', 'The agent has no telephony connector of that id.'),
    }),
    step(`PATCH ${LINES}/$messaging`, { voiceName: 'Bo' }, 404, {
      ...refused('CONNECTORS_NOT_FOUND', 'The agent has no telephony connector of that id.'),
    }),
    step(`PATCH ${LINES}/$line`, { voiceName: 1 }, 400, {
      ...refused(
        'CONNECTORS_VALIDATION_FAILED',
        'The body field "voiceName" is not valid: expected string, received number.',
        'voiceName',
      ),
    }),
    step(`PATCH ${LINES}/$line`, { projectId: 'PROJECT-Z' }, 403, {
      ...refused('USER_ACCESS_FORBIDDEN', 'The API key has no permission for that account.'),
    }),
    step(`GET /operator/v1/connectors/$line`, undefined, 404, {
      ...refused('CONNECTOR_NOT_FOUND', 'There is no connector of that id.'),
    }),
    step(`DELETE ${LINES}/$line`, undefined, 200, { deletedConnector: '$line', deletedPhoneNumbers: [] }),
    step(`GET ${LINES}`, undefined, 200, { connectors: [] }),
  ])('TP11 and AC25 %s answers exactly what stands here', (_, each) => expectAnswer(each))
})
