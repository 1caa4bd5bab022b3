import { silentLog } from '@colloquy/core'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../src/server.ts'
import { readSettings } from '../src/settings.ts'

const OPERATOR = 'operator-key-of-the-tests'

test('OB21 health is for anyone, figures are for the operator', async () => {
  const environment = { PORT: '0', COLLOQUY_DATABASE: ':memory:', COLLOQUY_OPERATOR_KEY: OPERATOR }
  const server = await startServer(readSettings(environment), { log: silentLog, show: () => {} })
  onTestFinished(() => server.close())
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(server.url + path, { headers })
  expect(await (await ask('/healthz')).json()).toEqual({ live: true })
  expect(await (await ask('/readyz')).json()).toEqual({ ready: true, store: 'ok', closing: false })
  expect((await ask('/metrics')).status).toBe(401)
  await ask('/v1/agents/PROJECT-123')
  const answer = await ask('/metrics', { authorization: `Bearer ${OPERATOR}` })
  expect(answer.status).toBe(200)
  const text = await answer.text()
  expect(text).toContain(
    'colloquy_request_duration_seconds_count{method="GET",route="/v1/agents/:agentId",status="401"} 1',
  )
  expect(text).toContain('nodejs_eventloop_lag_seconds')
})
