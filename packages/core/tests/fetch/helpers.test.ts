import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createFetchHandler } from '../../src/fetch/fetch-handler.ts'
import { toNextRouteHandler } from '../../src/fetch/next-route.ts'
import { onePerProcess } from '../../src/fetch/one-per-process.ts'

async function serve() {
  const made = await createPopulatedPlatform()
  const handle = createFetchHandler(made.platform, { basePath: '/api/talk', trustProxy: true })
  const ask = (method: keyof ReturnType<typeof toNextRouteHandler>, path: string, key: string) => {
    const request = new Request(`https://host.example/api/talk${path}`, {
      method,
      headers: { 'x-api-key': key },
    })
    return toNextRouteHandler(handle)[method](request, { params: Promise.resolve({ path: [] }) })
  }
  return { ...made, ask }
}

test('HF1 every method of a route file is answered by the platform, with whatever context comes beside', async () => {
  const { ask, keys } = await serve()
  const answer = await ask('GET', '/v1/agents/PROJECT-A', keys.workspace)
  expect([answer.status, await answer.json()]).toMatchObject([200, { agentId: 'PROJECT-A' }])
  const head = await ask('HEAD', '/v1/agents/PROJECT-A', keys.workspace)
  expect([head.status, await head.text()]).toEqual([200, ''])
  for (const method of ['POST', 'PUT', 'OPTIONS'] as const) {
    const refused = await ask(method, '/v1/agents/PROJECT-A', keys.workspace)
    expect([refused.status, refused.headers.get('allow')], method).toEqual([405, 'DELETE, GET, HEAD, PATCH'])
  }
  // Without a body it is refused by the route itself.
  expect((await ask('PATCH', '/v1/agents/PROJECT-A', keys.workspace)).status).toBe(400)
  expect((await ask('DELETE', '/v1/agents/PROJECT-B', keys.workspace)).status).toBeLessThan(300)
})

test('HF1 a path that is not the platform’s is 404', async () => {
  const { ask, keys } = await serve()
  const answer = await ask('GET', '/v1/invoices', keys.workspace)
  expect([answer.status, await answer.json()]).toEqual([404, { error: 'There is no such path.' }])
})

test('HF2 what is made once is made once, also by a second copy of the module, and one that failed again', async () => {
  const name = 'a test'
  onTestFinished(
    () => void Reflect.deleteProperty(globalThis, Symbol.for(`@colloquy/one-per-process/${name}`)),
  )
  const failing = (): never => {
    throw new Error('not yet')
  }
  expect(() => onePerProcess(name, failing)).toThrow('not yet')
  let made = 0
  const make = () => ({ number: ++made })
  const first = onePerProcess(name, make)
  vi.resetModules()
  const copy = await import('../../src/fetch/one-per-process.ts')
  expect(copy.onePerProcess).not.toBe(onePerProcess)
  expect(copy.onePerProcess(name, make)).toBe(first)
  expect(made).toBe(1)
})
