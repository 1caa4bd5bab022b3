import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { readUrl, refuseRequest } from '../src/admission.ts'
import { createCork, Line } from '../src/cork.ts'
import { createFrameEncoder } from '../src/frame.ts'

const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve))

/** A socket that counts the writes which each of its system calls takes. */
function countingSocket() {
  const writes: number[] = []
  const socket = new Duplex({
    read() {},
    write(_, __, done) {
      writes.push(1)
      done()
    },
    writev(chunks, done) {
      writes.push(chunks.length)
      done()
    },
  })
  return { socket, writes }
}

const nextTick = () => new Promise<void>(resolve => process.nextTick(resolve))

/** What a cork holds for a socket: `say` writes to it. */
function corked(cork = createCork()) {
  const { socket, writes } = countingSocket()
  const line = new Line(socket)
  const say = (soon = false): void => {
    cork.hold(line, soon)
    socket.write('x')
  }
  return { say, writes }
}

describe('corking', () => {
  test('what is written to a socket at once leaves in one write, without waiting for a turn', async () => {
    const { say, writes } = corked()
    for (let count = 0; count < 5; count++) say()
    // What is written by the promises of the same commit belongs to it.
    const later = Promise.resolve().then(() => say())
    expect(writes).toEqual([])
    await later
    await nextTick()
    expect(writes).toEqual([6])
    say()
    await nextTick()
    expect(writes).toEqual([6, 1])
  })

  /** How many turns a write waits that is to be followed soon, when each turn takes so many milliseconds. */
  async function turnsWaited(milliseconds: number): Promise<number> {
    let now = 1_000
    const { say, writes } = corked(createCork(() => now))
    say()
    say(true)
    for (let turns = 0; ; turns++) {
      if (writes.length > 0) {
        expect(writes).toEqual([2])
        return turns
      }
      now += milliseconds
      await nextTurn()
    }
  }

  test('what is to be followed soon waits for eight turns of the event loop at most', async () => {
    expect(await turnsWaited(0)).toBe(8)
  })

  test('where turns are long it waits for some milliseconds, and for six turns at least', async () => {
    expect(await turnsWaited(1)).toBe(6)
    expect(await turnsWaited(100)).toBe(6)
  })

  test.each([0, 1, 2, 5, 7])(
    'a reply whose commit is done %i turns later leaves with its echo',
    async turns => {
      const cork = createCork(() => 1_000)
      const [visitor, other] = [corked(cork), corked(cork)]
      visitor.say()
      visitor.say(true)
      // As the write queue of SQLite waits: behind what the cork waits for.
      let commit = Promise.resolve()
      for (let turn = 0; turn < turns; turn++) commit = commit.then(nextTurn)
      await commit.then(() => {
        visitor.say()
        other.say(true)
        visitor.say()
      })
      expect(visitor.writes).toEqual([])
      await nextTick()
      expect(visitor.writes).toEqual([4])
      // Who waits for another commit waits on.
      for (let turn = 1; turn < 8; turn++) await nextTurn()
      expect(other.writes).toEqual([])
      await nextTurn()
      expect(other.writes).toEqual([1])
    },
  )

  test('what begins to wait while it leaves is held on, with what it had', async () => {
    const { say, writes } = corked()
    say(true)
    say()
    say(true)
    await nextTick()
    expect(writes).toEqual([])
    say()
    await nextTick()
    expect(writes).toEqual([4])
  })
})

describe('frames', () => {
  test('a text that goes to many sockets is encoded once', () => {
    const encode = createFrameEncoder()
    const one = encode('Hello')
    expect(encode('Hello')).toBe(one)
    expect([...one]).toEqual([0x81, 5, ...Buffer.from('Hello')])
    const other = encode('World')
    expect([...other]).toEqual([0x81, 5, ...Buffer.from('World')])
    expect([...one].slice(2)).toEqual([...Buffer.from('Hello')])
  })
})

/** A request from that address over plain text. */
function requestFrom(address: string, headers: Record<string, string> = {}): IncomingMessage {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: address })
  const request = new IncomingMessage(socket)
  Object.assign(request.headers, headers)
  return request
}

describe('admission', () => {
  const strict = { allowInsecure: false, trustProxy: false }
  const refused = (address: string, options = strict, headers = {}) =>
    refuseRequest(requestFrom(address, headers), null, options)?.status ?? null

  test.each([
    ['127.0.0.1', null],
    ['127.8.8.8', null],
    ['::1', null],
    ['::ffff:127.0.0.1', null],
    ['203.0.113.9', 403],
    ['::ffff:203.0.113.9', 403],
    ['127.0.0.1.example', 403],
    ['', 403],
  ])('MS14 plain text from %s: %s', (address, status) => {
    expect(refused(address)).toBe(status)
  })

  test('MS14 TLS and what the host allows are fine from anywhere', () => {
    const tls = requestFrom('203.0.113.9')
    Object.defineProperty(tls.socket, 'encrypted', { value: true })
    expect(refuseRequest(tls, null, strict)).toBeNull()
    expect(refused('203.0.113.9', { allowInsecure: true, trustProxy: false })).toBeNull()
  })

  test('MS14 a proxy that nobody trusts cannot vouch', () => {
    const headers = { 'x-forwarded-proto': 'https' }
    expect(refused('203.0.113.9', strict, headers)).toBe(403)
    expect(refused('203.0.113.9', { allowInsecure: false, trustProxy: true }, headers)).toBeNull()
  })

  test.each(['*', '', 'http://evil', '//'])('MS24 the target %s is read without harm', target => {
    const request = requestFrom('127.0.0.1')
    request.url = target
    expect(readUrl(request)?.pathname).not.toBe('/ws')
  })
})
