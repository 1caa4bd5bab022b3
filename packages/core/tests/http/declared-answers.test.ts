import { checkedAnswers } from '@colloquy/test-support/checked-dispatcher'
import type { WholeAnswer } from '@colloquy/test-support/contract-document'
import { answerFault } from '@colloquy/test-support/declared-answers'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { ANSWERS } from '../../src/http/answers/index.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { defineRoute } from '../../src/http/route.ts'
import { createRouteTable } from '../../src/http/route-table.ts'
import { routes } from '../../src/http/routes.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform } from '../../src/platform.ts'
import { createFakeClock, createScriptedRuntime } from '../../src/testing/index.ts'
import { request } from '../support/reading-fakes.ts'

const CORRELATION = { 'X-Correlation-Id': 'id' }

const JSON_TYPE = { ...CORRELATION, 'Content-Type': 'application/json; charset=utf-8' }

const TABLE = createRouteTable(routes)

/** Why the answer of a route is not as declared. */
function faultOf(method: string, path: string, answer: Partial<WholeAnswer>): string | null {
  const match = TABLE.match(method, path)
  if (match === null) throw new Error(`There is no path ${path}.`)
  return answerFault(match, method, { status: 200, headers: JSON_TYPE, body: null, ...answer })
}

const refusal = (code: string) => {
  const texts = { error: 'No.', error_id: 'id', error_code: code, error_message: 'No.' }
  return JSON.stringify({ success: false, ...texts, data: null })
}

const BRANCH = '/v1/agents/A/branches/B'

describe('declared answers', () => {
  it('HT18 each operation is that of one route, and of each something is declared', () => {
    const operations = routes.map(({ operation }) => operation)
    expect(operations.toSorted()).toEqual(Object.keys(ANSWERS).toSorted())
  })

  it.each<[string, Parameters<typeof faultOf>, string | null]>([
    ['fits', ['GET', `${BRANCH}/behavior`, { body: '{"behavior":"b"}' }], null],
    ['lacks a field', ['GET', `${BRANCH}/behavior`, { body: '{}' }], "required property 'behavior'"],
    ['has another type', ['GET', `${BRANCH}/behavior`, { body: '{"behavior":1}' }], 'body.behavior: must'],
    ['has no correlation id', ['GET', `${BRANCH}/behavior`, { headers: {} }], 'no header x-correlation-id'],
    ['says not when to retry', ['GET', BRANCH, { status: 503 }], 'no header retry-after'],
    [
      'says wrongly when to retry',
      ['GET', BRANCH, { status: 503, headers: { ...JSON_TYPE, 'Retry-After': 'soon' } }],
      'header retry-after: must be',
    ],
    ['has one more', ['GET', `${BRANCH}/behavior`, { body: '{"behavior":"b","x":1}' }], 'not declared'],
    ['is no JSON', ['GET', `${BRANCH}/behavior`, { body: '{"behavior"' }], 'it is no JSON'],
    ['has no body', ['GET', `${BRANCH}/behavior`, {}], 'no body'],
    ['has another status', ['GET', `${BRANCH}/behavior`, { status: 201 }], 'status is not declared'],
    [
      'has a body with 204',
      ['DELETE', '/v1/agents/A', { status: 204, headers: CORRELATION, body: '{}' }],
      'has a body',
    ],
    ['says that there is text with 204', ['DELETE', '/v1/agents/A', { status: 204 }], 'its type is'],
    ['is refused so', ['GET', BRANCH, { status: 404, body: refusal('BRANCH_NOT_FOUND') }], null],
    [
      'is refused otherwise',
      ['GET', BRANCH, { status: 404, body: refusal('TOPIC_NOT_FOUND') }],
      'TOPIC_NOT_FOUND',
    ],
    ['is refused without a code', ['GET', BRANCH, { status: 404, body: '{"error":""}' }], "'success'"],
    ['is in no family', ['GET', '/v1/agents/A/x', { status: 404, body: refusal('ROUTE_NOT_FOUND') }], null],
    [
      'is in no family, without headers',
      ['GET', '/v1/agents/A/x', { status: 404, headers: {}, body: refusal('ROUTE_NOT_FOUND') }],
      'no header content-type',
    ],
    [
      'is in no family, otherwise',
      ['GET', '/v1/agents/A/x', { status: 404, body: refusal('INTERNAL') }],
      'another status',
    ],
  ])('HT18 and DO30 an answer that %s is found to be what it is', (_, answer, fault) => {
    if (fault === null) expect(faultOf(...answer)).toBeNull()
    else expect(faultOf(...answer)).toContain(fault)
  })

  it('HT18 the dispatchers of tests compare their answers', async () => {
    const clock = createFakeClock()
    const platform = createPlatform({
      ...{ store: createMemoryStore(), clock },
      runtime: createScriptedRuntime({}, clock),
    })
    checkedAnswers()
    await createDispatcher(platform, routes).handle({ ...request(''), path: '/v1/agents/A' })
    expect(checkedAnswers()).toMatchObject({ checked: 1, faults: [] })
    await platform.close()
  })

  it('HT18 a handler that answers otherwise does not compile', () => {
    const about = { family: 'agents', credential: 'workspace', method: 'GET', path: '/x' } as const
    const none = { summary: '', params: z.object({}), query: z.object({}), body: null } as const
    const ofBehavior = { ...about, ...none, operation: 'readBehavior' } as const
    defineRoute({ ...ofBehavior, handle: async () => ({ status: 200, json: { behavior: 'b' } }) })
    // @ts-expect-error: a number is no behavior
    defineRoute({ ...ofBehavior, handle: async () => ({ status: 200, json: { behavior: 1 } }) })
    // @ts-expect-error: another status
    defineRoute({ ...ofBehavior, handle: async () => ({ status: 201, json: { behavior: 'b' } }) })
    expect(ofBehavior.operation in ANSWERS).toBe(true)
  })
})
