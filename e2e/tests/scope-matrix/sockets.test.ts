import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { attachDesk, attachMessaging } from '@colloquy/ws-transport'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CREDENTIALS, expectedStatus, HOST_CHOICES, HOSTS, type Row } from '../../scope-matrix/table.ts'
import { serve } from './client.ts'
import { createWorld, type World } from './world.ts'

let world: World
let server: Awaited<ReturnType<typeof serve>>
let endpoints: readonly { close(): Promise<void> }[]
beforeAll(async () => {
  world = await createWorld()
  server = await serve(world)
  endpoints = [attachMessaging(server.server, world.platform), attachDesk(server.server, world.platform)]
})
afterAll(async () => {
  await Promise.all(endpoints.map(endpoint => endpoint.close()))
  await server.close()
  await world.close()
})

/** Asks for a socket; 101 when there is one, and then it is closed again. */
async function upgrade(path: string, host: string): Promise<number> {
  const asked = request({
    ...{ port: server.port, host: '127.0.0.1', path },
    headers: {
      ...{ host, connection: 'Upgrade', upgrade: 'websocket' },
      ...{ 'sec-websocket-version': '13', 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' },
    },
  })
  asked.end()
  const [response]: IncomingMessage[] = await Promise.race([once(asked, 'response'), once(asked, 'upgrade')])
  response?.destroy()
  return response?.statusCode ?? 0
}

/** The desk's socket in the words of the matrix. */
const DESK: Row = {
  names: 'nothing',
  success: 101,
  wholeAccount: false,
  things: 0,
  anyName: false,
  perAgent: false,
  ofOneAgent: false,
}

test('SM6 the desk opens its socket to the credentials that open its routes, at every host', async () => {
  const wrong: string[] = []
  for (const credential of CREDENTIALS)
    for (const host of HOST_CHOICES) {
      const cell = { credential, host, account: 'own id', agent: 'own', thing: 'there' } as const
      const key = world.keys(credential)
      const query = credential.name === 'none' ? '' : `?api_key=${encodeURIComponent(key)}`
      const status = await upgrade(`/desk/v1/ws${query}`, host.host)
      const expected = expectedStatus('desk', DESK, cell)
      if (status !== expected) wrong.push(`${credential.name} at ${host.name}: ${status}, not ${expected}`)
    }
  expect(wrong).toEqual([])
  expect(world.errors).toEqual([])
})

test('the documents of the contract are read at every host, whatever the credential', async () => {
  const wrong: string[] = []
  for (const credential of CREDENTIALS)
    for (const host of HOST_CHOICES)
      for (const path of ['/openapi.json', '/asyncapi.json']) {
        const headers = { 'x-api-key': world.keys(credential) }
        const { status } = await server.send({ method: 'HEAD', path, host: host.host, headers })
        if (status !== 200) wrong.push(`${path} with ${credential.name} at ${host.name}: ${status}`)
      }
  expect(wrong).toEqual([])
})

const CHAT = HOSTS.messaging['us-1']

/** Trades a connector token for the status, and the access token if there is one. */
async function trade(headers: Readonly<Record<string, string>>, host: string = CHAT) {
  const { status, text } = await server.send({ method: 'POST', path: '/api/v1/access-token', host, headers })
  return { status, accessToken: status === 200 ? String(JSON.parse(text).access_token) : '' }
}

async function openSession(authorization: string | null, host: string = CHAT) {
  const headers: Readonly<Record<string, string>> = authorization === null ? {} : { authorization }
  const { status, text } = await server.send({ method: 'POST', path: '/api/v1/sessions', host, headers })
  return { status, sessionId: status === 200 ? String(JSON.parse(text).session_id) : '' }
}

test('SM6 connector tokens open access for their own hosts alone, and API keys nothing', async () => {
  const { own, foreign } = world.agents
  const token = own.connectorToken
  const ownHost = 'https://www.quince.example'
  const status = async (headers: Readonly<Record<string, string>>, host?: string) =>
    (await trade(headers, host)).status
  expect(await status({ 'x-token': token, 'x-host': ownHost })).toBe(200)
  expect(await status({ 'x-token': foreign.connectorToken, 'x-host': 'sorrel.example' })).toBe(200)
  for (const headers of [
    {},
    { 'x-token': token },
    { 'x-host': ownHost },
    { 'x-token': `${token}x`, 'x-host': ownHost },
    { 'x-token': token, 'x-host': 'sorrel.example' },
    { 'x-token': foreign.connectorToken, 'x-host': ownHost },
    { 'x-token': token, 'x-host': 'quince.example.evil.org' },
    { 'x-api-key': world.keys({ name: 'workspace' }), 'x-host': ownHost },
    { 'x-token': world.keys({ name: 'operator' }), 'x-host': ownHost },
  ])
    expect(await status(headers)).toBe(401)
  for (const { name, group, host } of HOST_CHOICES)
    expect([name, await status({ 'x-token': token, 'x-host': ownHost }, host)]).toEqual([
      name,
      group === 'messaging' ? 200 : 404,
    ])
})

test('SM6 access tokens open sessions, each its own, until their connector is revoked', async () => {
  const issue = async (name: 'quince' | 'sorrel', token: string) =>
    (await trade({ 'x-token': token, 'x-host': `${name}.example` })).accessToken
  const { own, foreign } = world.agents
  const token = await issue('quince', own.connectorToken)
  const sibling = await issue('quince', own.connectorToken)
  const stranger = await issue('sorrel', foreign.connectorToken)
  for (const [authorization, status] of [
    [null, 400],
    ['Bearer ', 400],
    [`Basic ${token}`, 401],
    [`Bearer ${token}x`, 401],
    [`Bearer ${own.connectorToken}`, 401],
    [`Bearer ${world.keys({ name: 'operator' })}`, 401],
    [`Bearer ${token}`, 200],
  ] as const)
    expect([authorization, (await openSession(authorization)).status]).toEqual([authorization, status])
  for (const { name, group, host } of HOST_CHOICES) {
    const { status } = await openSession(`Bearer ${token}`, host)
    expect([name, status]).toEqual([name, group === 'messaging' ? 200 : 404])
  }
  const { sessionId } = await openSession(`Bearer ${token}`)
  const ws = (session: string, access: string, host: string = CHAT) =>
    upgrade(`/ws?${new URLSearchParams({ session_id: session, access_token: access })}`, host)
  for (const { name, group, host } of HOST_CHOICES)
    expect([name, await ws(sessionId, token, host)]).toEqual([name, group === 'messaging' ? 101 : 404])
  expect(await upgrade('/ws', CHAT)).toBe(400)
  expect(await ws(sessionId, `${token}x`)).toBe(401)
  expect(await ws(sessionId, sibling)).toBe(401)
  expect(await ws(sessionId, stranger)).toBe(401)
  expect(await ws(sessionId, world.keys({ name: 'desk' }))).toBe(401)
  expect(await ws('00000000-0000-4000-8000-000000000000', token)).toBe(404)
  expect(await ws(own.ids.conversationId ?? '', token)).toBe(404)
  await world.platform.access.revokeConnector(
    (await world.platform.access.connectorByToken(own.connectorToken))?.id ?? expect.fail('no connector'),
  )
  expect((await openSession(`Bearer ${token}`)).status).toBe(401)
  expect(await ws(sessionId, token)).toBe(401)
  expect((await trade({ 'x-token': own.connectorToken, 'x-host': 'quince.example' })).status).toBe(401)
})
