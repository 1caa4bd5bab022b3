// Slow: it asks every route, once as it is granted and once for each status with which it is refused.

import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { inspect } from 'node:util'
import type { Log, Telemetry, WebhookSender } from '@colloquy/core'
import { attachDesk, attachMessaging } from '@colloquy/ws-transport'
import { afterAll, expect, test } from 'vitest'
import { CELLS, isGranted, type RouteCell } from '../../scope-matrix/cells.ts'
import { ROWS } from '../../scope-matrix/rows.ts'
import { FAMILIES, FAMILY_NAMES, type FamilyName, HOSTS } from '../../scope-matrix/table.ts'
import { askGranted, askRefused } from './asking.ts'
import { serve } from './client.ts'
import { createWorld } from './world.ts'

/** What those who run a platform see of it: lines, figures, spans, errors and entries of the audit log. */
const seen: string[] = []
const see = (...what: readonly unknown[]): void =>
  void seen.push(inspect(what, { depth: 20, maxStringLength: null, maxArrayLength: null }))

const log: Log = { debug: see, info: see, warn: see, error: see }
const telemetry: Telemetry = {
  begin(operation) {
    see('span', operation)
    return { set: see, within: work => work(), end: see }
  },
  measure: see,
}
const away: WebhookSender = {
  objection: () => null,
  send: () => Promise.reject(new Error('The receiver is away.')),
}

const world = await createWorld({ log, telemetry, webhookSender: away, onError: see })
const server = await serve(world)
const endpoints = [attachMessaging(server.server, world.platform), attachDesk(server.server, world.platform)]
afterAll(async () => {
  await Promise.all(endpoints.map(endpoint => endpoint.close()))
  await server.close()
  await world.close()
})

const granted = (family: FamilyName, route: string): RouteCell | undefined =>
  CELLS.find(
    cell =>
      cell.route === route &&
      isGranted(cell) &&
      cell.credential.name === `${FAMILIES[family].kind}${cell.row.ofOneAgent ? ', for one agent' : ''}`,
  )

/** A request of a route for each status with which it is refused. */
function refusedCells(route: string): readonly RouteCell[] {
  const cells = CELLS.filter(cell => cell.route === route && !isGranted(cell))
  return [...new Map(cells.map(cell => [cell.expected, cell])).values()]
}

const SHORTEST = 16

/** The secrets that an answer tells, by the names that they have there. */
function secretsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'string' && inner.length >= SHORTEST && /^(?:.*secret|.*token|key)$/i.test(name)
      ? [inner]
      : secretsIn(inner),
  )
}

/** Asks for a socket with a credential in the address, as browsers must. */
async function askSocket(path: string): Promise<number> {
  const asked = request({
    ...{ port: server.port, host: '127.0.0.1', path },
    headers: {
      ...{ host: HOSTS.messaging['us-1'], connection: 'Upgrade', upgrade: 'websocket' },
      ...{ 'sec-websocket-version': '13', 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' },
    },
  })
  asked.end()
  const [response]: IncomingMessage[] = await Promise.race([once(asked, 'response'), once(asked, 'upgrade')])
  response?.destroy()
  return response?.statusCode ?? 0
}

const { access, messaging, webhooks } = world.platform
const { own } = world.accounts

/** An endpoint whose address and headers hold what lets a sender in, before and after a change. */
async function plantEndpoint(): Promise<readonly string[]> {
  const [query, path, before, after] = ['query', 'path', 'first', 'later'].map(
    what => `${what}-canary-of-hook`,
  )
  const address = `https://hooks.example/${path}?key=${query}`
  const headers = { authorization: `Bearer ${before}` }
  const { endpoint, secret } = await webhooks.createEndpoint(own.id, {
    ...{ name: 'Canary', url: address, headers },
    eventTypes: ['conversation.completed'],
  })
  const change = { headers: { authorization: `Bearer ${after}` }, url: `${address}&more` }
  await webhooks.updateEndpoint(own.id, endpoint.id, change)
  await webhooks.test(own.id, endpoint.id)
  return [String(query), String(path), String(before), String(after), secret]
}

/** A visitor's session, its tokens in addresses that are taken and in some that are not, and what was said in it. */
async function plantVisitor(): Promise<readonly string[]> {
  const { connectorToken } = world.agents.own
  const { accessToken } = await messaging.issueAccessToken({
    ...{ connectorToken, host: 'localhost', remoteAddress: '127.0.0.1' },
  })
  const { sessionId } = await messaging.createSession({
    ...{ authorization: `Bearer ${accessToken}`, streaming: false },
  })
  const [altered, words] = [`${accessToken}x`, 'what the visitor has said canary']
  const desk = world.keys({ name: FAMILIES.desk.kind })
  const statuses = [
    await askSocket(`/ws?session_id=${sessionId}&access_token=${accessToken}`),
    await askSocket(`/ws?session_id=${sessionId}&access_token=${altered}`),
    await askSocket(`/desk/v1/ws?api_key=${desk}`),
    await askSocket(`/desk/v1/ws?api_key=${desk}x`),
  ]
  expect(statuses).toEqual([101, 401, 101, 401])
  const connector = await access.connectorByToken(connectorToken)
  if (connector === null) throw new Error('the connector is there')
  const { conversationId } = await world.platform.chat.create(connector, {})
  await world.platform.chat.respond(connector, { conversationId, message: words })
  return [accessToken, altered, words]
}

test('AU6 and OB11 no secret that was ever told or asked with is in a line, figure, span, error, entry or later answer', async () => {
  const planted = [...(await plantEndpoint()), ...(await plantVisitor())]
  const tokens = Object.values(world.agents).map(({ connectorToken }) => connectorToken)
  const told = new Set([...world.secrets, ...tokens])
  const leaks: string[] = []
  const find = (where: string, text: string, secrets: Iterable<string>): void => {
    for (const secret of secrets) if (text.includes(secret)) leaks.push(`${where}: ${secret}`)
  }
  for (const family of [...FAMILY_NAMES].reverse())
    for (const route of Object.keys(ROWS[family])) {
      for (const cell of refusedCells(route)) {
        const { headers, text } = await askRefused(world, server.send, cell)
        find(`${route} refused`, JSON.stringify(headers) + text, [...told, ...planted])
      }
      const cell = granted(family, route)
      if (cell === undefined) throw new Error(`no request of ${route} is to be carried out`)
      const { headers, text } = await askGranted(world, server.send, cell)
      find(route, JSON.stringify(headers) + text, told)
      if (!String(headers['content-type']).startsWith('application/json')) continue
      for (const secret of secretsIn(JSON.parse(text))) told.add(secret)
    }
  await world.clock.advance(60_000)
  for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
    const page: Awaited<ReturnType<typeof world.platform.audit.list>> = await world.platform.audit.list({
      ...{ limit: 1_000 },
      ...(cursor === null ? {} : { cursor }),
    })
    see('audit', page.entries)
    cursor = page.cursor
  }
  for (const text of seen) find(text.slice(0, 200), text, [...told, ...planted])
  expect(leaks).toEqual([])
  // Keys of every kind, tokens, signing secrets: the walk has found what there is to find.
  for (const kind of [/^cq_ws_/, /^cq_cn_/, /^cq_cx_/, /^whsec_/])
    expect(
      [...told].some(secret => kind.test(secret)),
      String(kind),
    ).toBe(true)
  expect(seen.some(text => text.includes('webhook_endpoint.changed'))).toBe(true)
})
