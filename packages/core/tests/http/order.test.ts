import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { expect, test } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { request } from '../support/request.ts'

const UNKNOWN = 'PROJECT-none'
const FOREIGN = 'PROJECT-Z'

async function start() {
  const { keys, platform } = await createPopulatedPlatform()
  const dispatcher = createDispatcher(platform, routes)
  const { secret: project } = await platform.access.createApiKey({ kind: 'project', accountId: 'ws-one' })
  return async (line: string, kind: 'workspace' | 'project' | 'externalEvents' = 'workspace') => {
    const secret = kind === 'project' ? project : keys[kind]
    const headers = { 'x-api-key': secret, 'content-type': 'application/json' }
    const { body, status } = await dispatcher.handle(request(line, { headers, body: {} }))
    return [status, /\b[A-Z]+(?:_[A-Z]+)+\b/.exec(body ?? '')?.[0]]
  }
}

test.each([
  ['/deployments', 'DEPLOYMENTS_INVALID_ENVIRONMENT'],
  ['/deployments?environment=moon', 'DEPLOYMENTS_INVALID_ENVIRONMENT'],
  ['/deployments?environment=live&limit=x', 'SCHEMA_VALIDATION_FAILED'],
  ['/telephony/outbound-calls/OUT-1/status', 'SCHEMA_VALIDATION_FAILED'],
  ['/telephony/outbound-calls/OUT-1/status?environment=moon', 'SCHEMA_VALIDATION_FAILED'],
])('HT14 %s is refused for its agent before its query', async (path, code) => {
  const ask = await start()
  expect(await ask(`GET /v1/agents/${UNKNOWN}${path}`)).toEqual([404, 'PROJECT_NOT_FOUND'])
  expect(await ask(`GET /v1/agents/${FOREIGN}${path}`)).toEqual([403, 'USER_ACCESS_FORBIDDEN'])
  expect(await ask(`GET /v1/agents/PROJECT-A${path}`)).toEqual([400, code])
})

test('HT14 so is a list of conversations', async () => {
  const ask = await start()
  const list = (agent: string) => ask(`GET /v1/one/${agent}/conversations?limit=none`, 'project')
  expect((await list(UNKNOWN))[0]).toBe(404)
  expect((await list(FOREIGN))[0]).toBe(404)
  expect((await list('PROJECT-A'))[0]).toBe(400)
})

test('HT14 parameters of the path come before the agent, and a query that names the agent does too', async () => {
  const ask = await start()
  expect(await ask('GET /v1/agents/%E0%A4%A/deployments')).toEqual([400, 'SCHEMA_VALIDATION_FAILED'])
  const named = `account_id=one&project_id=${UNKNOWN}`
  expect((await ask(`POST /v1/external-events/webhook?${named}`, 'externalEvents'))[0]).toBe(400)
  const whole = `${named}&event_id_location=headers&event_id_path=x-id`
  expect((await ask(`POST /v1/external-events/webhook?${whole}`, 'externalEvents'))[0]).toBe(404)
})
