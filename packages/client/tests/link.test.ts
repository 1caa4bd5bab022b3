import { expect, test } from 'vitest'
import { openLink, socketAddress } from '../src/messaging/link.ts'
import type { MessagingSocket } from '../src/messaging/ports.ts'

const session = { id: 'a', token: { value: 'secret', issuedAt: 0, expiresAt: 1 } }

/** A socket that a test speaks for. */
function createSocket() {
  const hearers = new Map<string, (event: never) => void>()
  const socket: MessagingSocket = {
    send() {},
    close() {},
    addEventListener: (name: string, hear: (event: never) => void) => void hearers.set(name, hear),
  }
  return { socket, say: (name: string, event: object) => hearers.get(name)?.(event as never) }
}

test('a socket that could not be opened names the address, and not the token', () => {
  const address = socketAddress('https://chat.example/talk', '/ws', { session, cursor: 0, host: undefined })
  const told: unknown[] = []
  const listener = { frame() {}, closed: (...given: readonly unknown[]) => void told.push(given) }
  const first = createSocket()
  openLink(() => first.socket, address, listener)
  first.say('close', { code: 1006 })
  expect(told).toEqual([[1006, null, 'No socket could be opened at wss://chat.example/talk/ws.']])
  const second = createSocket()
  openLink(() => second.socket, address, listener)
  second.say('message', { data: '{}' })
  second.say('close', { code: 1006 })
  expect(told[1]).toEqual([1006, null, ''])
})

test('in a frame the address names the host of the page around it', () => {
  const place = { session, cursor: 3, host: 'hotel.example' }
  expect(socketAddress('https://chat.example', '/ws', place)).toBe(
    'wss://chat.example/ws?session_id=a&access_token=secret&cursor=3&host=hotel.example',
  )
})
