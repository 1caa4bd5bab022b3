import { once } from 'node:events'
import { createServer, request as forward, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { CREDENTIALS, startedBefore, startStandalone } from '@colloquy/test-support/standalone'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'

// Slow: each test starts the server as a program.

const tokenSchema = z.object({ access_token: z.string() })
const sessionSchema = z.object({ session_id: z.string() })

/** Says whom a request came from, as the network would. */
const FROM = 'x-test-peer'

/** What a proxy sends on: it appends its peer, and says how it was reached itself. */
function forwardedHeaders({ headers }: IncomingMessage, scheme: string): NodeJS.Dict<string | string[]> {
  const { [FROM]: peer = '192.0.2.1', 'x-forwarded-for': before, ...others } = headers
  const chain = [before ?? [], peer].flat().join(', ')
  return { ...others, 'x-forwarded-for': chain, 'x-forwarded-proto': scheme }
}

/** A proxy in front of a server, for requests and upgrades. @returns its address, without a scheme */
async function startProxy(target: string, scheme: 'http' | 'https'): Promise<string> {
  const { hostname, port } = new URL(target)
  const proxy = createServer((incoming, outgoing) => {
    const { method, url } = incoming
    const headers = forwardedHeaders(incoming, scheme)
    const onward = forward({ hostname, port, method, path: url, headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(onward)
  })
  proxy.on('upgrade', (incoming, client, head) => {
    const server = connect(Number(port), hostname, () => {
      const lines = Object.entries(forwardedHeaders(incoming, scheme)).map(
        ([name, value]) => `${name}: ${value}`,
      )
      server.write([`GET ${incoming.url} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
      server.write(head)
      server.pipe(client).pipe(server)
    })
    for (const socket of [server, client]) socket.on('error', () => socket.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return `127.0.0.1:${address.port}`
}

/** A server behind two proxies side by side, of which one was reached over TLS, as it says. */
async function behindProxies(trusted: Readonly<Record<string, string>>) {
  const server = await startStandalone({ ...(await startedBefore()), ...trusted })
  const [secure, plain] = [await startProxy(server.url, 'https'), await startProxy(server.url, 'http')]
  const token = async (proxy: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`http://${proxy}/api/v1/access-token`, {
      method: 'POST',
      headers: { 'x-token': CREDENTIALS.COLLOQUY_CONNECTOR_TOKEN, 'x-host': 'localhost', ...headers },
    })
  return { secure, plain, token }
}

/** Whether a socket opens. */
async function opens(url: string): Promise<boolean> {
  const socket = new WebSocket(url)
  const opened = await Promise.race([
    once(socket, 'open').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false)
  socket.terminate()
  return opened
}

test('SS2 with TRUST_PROXY the proxy says who calls and by what way, over HTTP and for sockets', async () => {
  const { secure, plain, token } = await behindProxies({ TRUST_PROXY: '1' })
  // The way: only what came over TLS is told to stay there, and only that may open sessions.
  const vouched = await token(secure)
  expect([vouched.status, vouched.headers.get('strict-transport-security')]).toEqual([
    200,
    'max-age=31536000',
  ])
  expect((await token(plain)).headers.get('strict-transport-security')).toBeNull()
  const { access_token: accessToken } = tokenSchema.parse(await vouched.json())
  const session = (proxy: string) =>
    fetch(`http://${proxy}/api/v1/sessions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}` },
    })
  expect((await session(plain)).status).toBe(403)
  const created = await session(secure)
  expect(created.status).toBe(200)
  const { session_id: id } = sessionSchema.parse(await created.json())
  const query = new URLSearchParams({ session_id: id, access_token: accessToken })
  expect([await opens(`ws://${plain}/ws?${query}`), await opens(`ws://${secure}/ws?${query}`)]).toEqual([
    false,
    true,
  ])
  // Who: one who fails too often keeps out nobody else, and escapes by no address of their own making.
  const fail = (peer: string, claimed: string) =>
    fetch(`http://${secure}/v1/accounts/demo/agents`, {
      headers: { 'x-api-key': 'wrong', [FROM]: peer, 'x-forwarded-for': claimed },
    }).then(({ status }) => status)
  const first = await Promise.all(
    Array.from({ length: 200 }, (_, at) => fail('198.51.100.7', `203.0.113.${at}`)),
  )
  expect(first).toContain(429)
  expect(await fail('198.51.100.8', '198.51.100.7')).toBe(401)
})
