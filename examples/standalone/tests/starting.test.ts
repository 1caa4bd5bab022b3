import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { reservePort } from '../src/reserve-port.ts'
import { readSettings } from '../src/settings.ts'

/** Sends text, and returns all that comes back until the server closes. */
async function exchange(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(text)
  let told = ''
  socket.on('data', data => {
    told += String(data)
  })
  await once(socket, 'close')
  return told
}

const UPGRADE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
]

test('SS24 a server that starts answers 503 to everything, and then serves on the same port', async () => {
  const reserved = await reservePort(readSettings({ PORT: '0' }))
  onTestFinished(() => {
    reserved.server.close()
    reserved.server.closeAllConnections()
  })
  const address = reserved.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  for (const line of ['GET /healthz', 'POST /v1/agents/A', 'OPTIONS *', 'GET /ws?session_id=a'])
    for (const more of [[], UPGRADE, ['Connection: Upgrade', 'Upgrade: h2c']]) {
      const told = await exchange(port, [`${line} HTTP/1.1`, 'Host: a', ...more, '', ''].join('\r\n'))
      expect(told, `${line} ${more[1]}`).toMatch(/^HTTP\/1\.1 503 /)
      expect(told).toMatch(/\r\nRetry-After: 1\r\n/)
      expect(told).toMatch(/\r\nConnection: close\r\n/)
      expect(told).toMatch(/{"error":"The server is starting. Try again in a moment."}$/)
    }
  expect(await exchange(port, 'HEAD / HTTP/1.1\r\nHost: a\r\n\r\n')).toMatch(/^HTTP\/1\.1 503 [^{]*$/)
  reserved.serve((_request, response) => void response.writeHead(200, { Connection: 'close' }).end('there'))
  expect(await exchange(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 [\s\S]*there/)
})
