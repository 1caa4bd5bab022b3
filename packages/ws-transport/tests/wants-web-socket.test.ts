import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { wantsWebSocket } from '../src/offers.ts'

test.each([
  ['websocket', true],
  ['WebSocket', true],
  ['websocket/13', true],
  ['h2c, websocket', true],
  ['websocket , h2c', true],
  [' h2c ,\twebsocket/13, x', true],
  [undefined, false],
  ['', false],
  ['h2c', false],
  ['websockets', false],
  ['websocket 13', false],
  ['websocket /13', false],
  ['x-websocket', false],
  ['x websocket', false],
])('MS24 an upgrade to %j asks for a WebSocket: %s', (upgrade, wants) => {
  const request = new IncomingMessage(new Socket())
  if (upgrade !== undefined) request.headers.upgrade = upgrade
  expect(wantsWebSocket(request)).toBe(wants)
})
