import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { createApi, withBearer, withKey } from '@colloquy/test-support/api'
import { linesOf, run, runExample, within } from '@colloquy/test-support/program'
import { CREDENTIALS, freshDatabase, startedBefore, startStandalone } from '@colloquy/test-support/standalone'
import { expect, onTestFinished, test } from 'vitest'
import { at, listAt } from '../../examples/quickstart/src/json.ts'

const CREDENTIAL_LINE = /^(COLLOQUY_\w+)=(\S+)$/

/** The secrets that a server has printed, by variable. */
const printedSecrets = (stderr: string): ReadonlyMap<string, string> =>
  new Map(
    linesOf(stderr).flatMap(line => {
      const [, name = '', secret = ''] = CREDENTIAL_LINE.exec(line) ?? []
      return name === '' ? [] : [[name, secret] as const]
    }),
  )

const accountsSeenBy = (url: string, operatorKey: string) =>
  createApi(url)('/operator/v1/accounts', { headers: withBearer(operatorKey), status: 200 })

test('SS1 a fresh server listens on a free port, says so in one line of JSON, and answers', async () => {
  const server = await startStandalone({ COLLOQUY_DATABASE: ':memory:', ...CREDENTIALS })
  const agent = await createApi(server.url)('/v1/agents/PROJECT-DEMO', {
    headers: withKey(CREDENTIALS.COLLOQUY_WORKSPACE_KEY),
    status: 200,
  })
  expect(agent).toMatchObject({ accountId: 'ws-demo', agentId: 'PROJECT-DEMO', branchCount: 1 })
  expect(linesOf(server.output.stdout)).toEqual([JSON.stringify({ event: 'listening', url: server.url })])
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
})

test('SS1 the account is reached by id and by slug, and unknown paths get JSON', async () => {
  const server = await startStandalone(await startedBefore())
  const headers = withKey(CREDENTIALS.COLLOQUY_WORKSPACE_KEY)
  const bySlug = await createApi(server.url)('/v1/accounts/demo/agents', { headers, status: 200 })
  const byId = await createApi(server.url)('/v1/accounts/ws-demo/agents', { headers, status: 200 })
  expect(bySlug).toEqual(byId)
  expect(await createApi(server.url)('/elsewhere', { status: 404 })).toMatchObject({ success: false })
})

test('SS5 generated credentials are printed once, work, and outlive a restart', async () => {
  const environment = { COLLOQUY_DATABASE: await freshDatabase() }
  const first = await startStandalone(environment)
  const secrets = printedSecrets(first.output.stderr)
  expect([...secrets.keys()]).toEqual(Object.keys(CREDENTIALS))
  expect(new Set(secrets.values()).size).toBe(6)
  expect(first.output.stdout).not.toMatch(/cq_/)
  await accountsSeenBy(first.url, secrets.get('COLLOQUY_OPERATOR_KEY') ?? '')
  first.kill('SIGTERM')
  expect(await first.exit).toBe(0)

  const second = await startStandalone(environment)
  const headers = withBearer(secrets.get('COLLOQUY_OPERATOR_KEY') ?? '')
  const keys = await createApi(second.url)('/operator/v1/api-keys', { headers, status: 200 })
  const connectors = await createApi(second.url)('/operator/v1/connectors', { headers, status: 200 })
  expect(printedSecrets(second.output.stderr).size).toBe(0)
  expect(listAt(keys, 'apiKeys')).toHaveLength(5)
  // That of the variable, and that of the demo page.
  expect(listAt(connectors, 'connectors')).toHaveLength(2)
  for (const name of Object.keys(CREDENTIALS)) expect(second.output.stderr).toContain(name)
  await createApi(second.url)('/api/v1/access-token', {
    method: 'POST',
    headers: { 'X-Token': secrets.get('COLLOQUY_CONNECTOR_TOKEN') ?? '', 'X-Host': '127.0.0.1' },
    body: {},
    status: 200,
  })
})

test('a first start says what to do next, and the command of the quickstart goes through', async () => {
  const environment = { COLLOQUY_DATABASE: await freshDatabase() }
  const server = await startStandalone(environment)
  const secrets = printedSecrets(server.output.stderr)
  const next = await server.line(/^Next, /)
  const given = ['OPERATOR', 'WORKSPACE', 'DESK'].map(kind => `COLLOQUY_${kind}_KEY`)
  expect(next).toBe('Next, in another terminal:')
  const { stderr } = server.output
  const [, command = ''] = /^Next, .*\n((?: {2}.*\n)+)/m.exec(stderr) ?? []
  expect(command.split('\n').map(line => line.trim())).toEqual([
    ...[`COLLOQUY_URL=${server.url} \\`, ...given.map(name => `${name}=${secrets.get(name)} \\`)],
    ...['npm run quickstart -w examples/quickstart', ''],
  ])
  expect(await server.line(/^To chat /)).toBe(
    `To chat yourself: ${server.url}/demo in a browser, or npm start -w examples/terminal-transport`,
  )
  const quickstart = run('sh', ['-c', command])
  expect(await quickstart.exit, quickstart.output.stderr).toBe(0)
  server.kill('SIGTERM')
  await server.exit

  const again = await startStandalone(environment)
  expect(again.output.stderr).not.toMatch(/^(Next|To chat)/m)
})

test('a credential that the environment gives is named and not repeated', async () => {
  const { COLLOQUY_DESK_KEY } = CREDENTIALS
  const server = await startStandalone({ COLLOQUY_DATABASE: ':memory:', COLLOQUY_DESK_KEY })
  expect(await server.line(/^Next, /)).toMatch(
    /^Next, in another terminal that has COLLOQUY_DESK_KEY in its environment:$/,
  )
  await server.line(/^To chat /)
  expect(server.output.stderr).toMatch(
    /^ {2}COLLOQUY_URL=\S+ \\\n {2}COLLOQUY_OPERATOR_KEY=cq_\S+ \\\n {2}COLLOQUY_WORKSPACE_KEY=cq_\S+ \\\n {2}npm run/m,
  )
  expect(server.output.stderr).not.toContain(COLLOQUY_DESK_KEY)
})

test('SS4 given credentials are taken over, once, and never written out', async () => {
  const environment = { COLLOQUY_DATABASE: await freshDatabase(), COLLOQUY_LOG: 'trace', ...CREDENTIALS }
  for (const _ of [1, 2]) {
    const server = await startStandalone(environment)
    const headers = withBearer(CREDENTIALS.COLLOQUY_OPERATOR_KEY)
    const keys = await createApi(server.url)('/operator/v1/api-keys', { headers, status: 200 })
    const connectors = await createApi(server.url)('/operator/v1/connectors', { headers, status: 200 })
    expect(listAt(keys, 'apiKeys')).toHaveLength(5)
    expect(listAt(connectors, 'connectors')).toMatchObject([
      {
        accountId: 'ws-demo',
        agentId: 'PROJECT-DEMO',
        environment: 'live',
        hosts: ['localhost', '127.0.0.1'],
        handoff: { mode: 'server', queueName: 'reception', timeoutSeconds: 300 },
      },
      { name: 'Demo page' },
    ])
    server.kill('SIGTERM')
    expect(await server.exit).toBe(0)
    for (const secret of Object.values(CREDENTIALS)) {
      expect(server.output.stdout + server.output.stderr).not.toContain(secret)
    }
  }
})

test('SS4 the project key is for the demo agent alone', async () => {
  const server = await startStandalone(await startedBefore())
  const api = createApi(server.url)
  const other = await api('/v1/accounts/demo/agents', {
    method: 'POST',
    headers: withKey(CREDENTIALS.COLLOQUY_WORKSPACE_KEY),
    body: { name: 'Other', agentId: 'PROJECT-OTHER', responseSettings: { greeting: 'Hello' } },
    status: 200,
  })
  const headers = withKey(CREDENTIALS.COLLOQUY_PROJECT_KEY)
  await api('/v1/demo/PROJECT-DEMO/conversations', { headers, status: 200 })
  const refused = await api(`/v1/demo/${at(other, 'agentId')}/conversations`, { headers, status: 403 })
  expect(refused).toHaveProperty('error_message')
})

test('SS4 a revoked secret that is given again is named, and nothing starts', async () => {
  const environment = await startedBefore()
  const server = await startStandalone(environment)
  const api = createApi(server.url)
  const headers = withBearer(CREDENTIALS.COLLOQUY_OPERATOR_KEY)
  const keys = listAt(await api('/operator/v1/api-keys', { headers, status: 200 }), 'apiKeys')
  const desk = keys.find(key => at(key, 'kind') === 'desk')
  await api(`/operator/v1/api-keys/${at(desk, 'id')}`, { method: 'DELETE', headers, status: 204 })
  server.kill('SIGTERM')
  await server.exit
  const again = runExample('standalone', { PORT: '0', ...environment })
  expect(await again.exit).toBe(1)
  expect(again.output).toEqual({ stdout: '', stderr: expect.stringMatching(/^COLLOQUY_DESK_KEY: .+\n$/) })
})

test.each(['port', 'host'])(
  'SS24 a %s that cannot be had makes no file and shows no key, and the next start shows them all',
  async which => {
    const taken = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => {
      taken.close()
    })
    await new Promise(resolve => taken.once('listening', resolve))
    const address = taken.address()
    const port = String(typeof address === 'object' ? address?.port : '')
    const environment = { COLLOQUY_DATABASE: await freshDatabase() }
    const bad = which === 'port' ? { PORT: port } : { PORT: '0', HOST: 'no-such-host.invalid' }
    const refused = runExample('standalone', { ...environment, ...bad })
    expect(await refused.exit).toBe(1)
    expect(linesOf(refused.output.stderr)).toEqual([
      which === 'port'
        ? `PORT ${port} on 127.0.0.1 is in use: choose another, or 0 for any free one.`
        : expect.stringMatching(
            /^HOST no-such-host\.invalid cannot be listened on: .+\. It must be a name or an address of this machine\.$/,
          ),
    ])
    expect(existsSync(environment.COLLOQUY_DATABASE)).toBe(false)
    const next = await startStandalone(environment)
    expect([...printedSecrets(next.output.stderr).keys()]).toEqual(Object.keys(CREDENTIALS))
  },
)

test('SS3 a database that is none is said in one line, once', async () => {
  const database = await freshDatabase()
  const inTheWay = database.replace(/\/nested\/.*/, '/nested')
  await writeFile(inTheWay, 'a file where a folder should be')
  for (const name of [database, inTheWay, '/proc/x/y.db']) {
    const server = runExample('standalone', { PORT: '0', COLLOQUY_DATABASE: name })
    expect(await within(server.exit, name)).toBe(1)
    const [line = '', ...others] = linesOf(server.output.stderr)
    expect(others).toEqual([])
    expect(line).toMatch(
      /^COLLOQUY_DATABASE ".*" cannot be opened: .*[^.]\. It must be the name of a file that this user may read and write, or :memory:\.$/,
    )
    expect(line).toContain(name)
    expect(line.split('cannot be opened')).toHaveLength(2)
  }
})
