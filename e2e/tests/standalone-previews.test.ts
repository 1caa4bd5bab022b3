import { createApi, withKey } from '@colloquy/test-support/api'
import { CREDENTIALS, startedBefore, startStandalone } from '@colloquy/test-support/standalone'
import { expect, test } from 'vitest'
import { textAt } from '../../examples/quickstart/src/json.ts'

const headers = withKey(CREDENTIALS.COLLOQUY_WORKSPACE_KEY)
const AGENT = '/v1/agents/PROJECT-DEMO'

/** Loaded before the server, it writes which machines the server looks for, and lets it find none. */
const NOTING = `--import=data:text/javascript,${encodeURIComponent(`
  import dns from 'node:dns'
  import { syncBuiltinESMExports } from 'node:module'
  const { lookup } = dns
  dns.lookup = (host, ...more) => {
    if (!host.endsWith('.example')) return lookup(host, ...more)
    process.stderr.write('looks for ' + host + '\\n')
    more.at(-1)(new Error('There is no ' + host + '.'))
  }
  syncBuiltinESMExports()`)}`

/** What the server looks for while its agent greets with a link. */
async function lookedFor(settings: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const server = await startStandalone({ ...(await startedBefore()), ...settings, NODE_OPTIONS: NOTING })
  const api = createApi(server.url)
  const branch = { method: 'POST', headers, body: { branchName: 'links' }, status: 201 } as const
  const branchId = textAt(await api(`${AGENT}/branches`, branch), 'branchId')
  const greeting = 'Welcome. See https://rooms.example/sea first.'
  const settingsOf = `${AGENT}/branches/${branchId}/response-settings`
  await api(settingsOf, { method: 'PATCH', headers, body: { greeting }, status: 200 })
  const chat = { method: 'POST', headers, body: { clientEnv: 'sandbox', branchId }, status: 201 } as const
  expect(textAt(await api(`${AGENT}/debug-chat`, chat), 'response')).toBe(greeting)
  return [...server.output.stderr.matchAll(/looks for (.*)/g)].map(([, name = '']) => name)
}

test('SS2 links have previews where it is wanted; a page that cannot be read costs no reply', async () => {
  expect(await lookedFor({ COLLOQUY_LINK_PREVIEWS: 'on' })).toEqual(['rooms.example'])
  expect(await lookedFor({})).toEqual([])
})
