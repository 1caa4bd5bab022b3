import { beforeAll, describe, expect, test } from 'vitest'
import { createDispatcher, type Dispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { createPopulatedPlatform } from '../support/platform.ts'
import { request } from '../support/request.ts'

const AGENT = '/v1/agents/PROJECT-A'
const BRANCH = `${AGENT}/branches/$branch`
const CONFIGS = `${AGENT}/real-time-configs`
const TIME = '2026-01-01T00:00:00.000Z'

let dispatcher: Dispatcher
let key: string

/** Ids that answers brought, by the names under which later steps speak of them. */
const ids = new Map<string, string>()
const named = (text: string): string =>
  text.replace(/\$([a-z]+)/g, (whole, name: string) => ids.get(name) ?? whole)

/** Sends a request, and learns the id of its answer as `$learn`. */
async function send(line: string, body: unknown, learn: string | undefined) {
  const answer = await dispatcher.handle(
    request(named(line), {
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: named(JSON.stringify(body)) }),
    }),
  )
  const id = /"(?:id|branchId)":"([^"]*)"/.exec(answer.body ?? '')?.[1]
  if (learn !== undefined && id !== undefined) ids.set(learn, id)
  return answer
}

beforeAll(async () => {
  const { platform, keys } = await createPopulatedPlatform()
  dispatcher = createDispatcher(platform, routes)
  key = keys.workspace
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
  expect([given.status, JSON.parse(given.body ?? 'null')]).toEqual([
    status,
    JSON.parse(named(JSON.stringify(answer))),
  ])
}

const page = (clientEnv: string, rest: object = {}) => ({ clientEnv, variables: {}, ...rest })
const grand = {
  ...{ id: '$variant', name: 'grand', isDefault: false },
  attributeValues: { values: { $attribute: 'Grand' } },
}
const schema = { type: 'object' }

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
  ])('AG60 %s answers exactly what stands here', (_, each) => expectAnswer(each))

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
  ])('AG51 %s answers exactly what stands here', (_, each) => expectAnswer(each))
})
