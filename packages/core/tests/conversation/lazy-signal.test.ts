import { spawn } from 'node:child_process'
import { EventEmitter, getEventListeners, on, once, setMaxListeners } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { addAbortSignal, PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { inspect, aborted as untilAborted } from 'node:util'
import { describe, expect, it } from 'vitest'
import { lazySignal } from '../../src/usecases/conversation/turn/lazy-signal.ts'

/** Makes signals, and counts them. */
function setUp() {
  const made: AbortController[] = []
  const controller = (): AbortController => {
    made[0] ??= new AbortController()
    return made[0]
  }
  const signal = lazySignal(() => controller().signal)
  return { signal, made, abort: (reason?: unknown) => controller().abort(reason) }
}

const WHY = new Error('called off')

async function withServer(use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  try {
    await use(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** What takes a signal, and how it ends once that has aborted. */
const TAKERS: Readonly<Record<string, (signal: AbortSignal) => Promise<unknown>>> = {
  'events.once': signal => once(new EventEmitter(), 'never', { signal }),
  'events.on': signal => on(new EventEmitter(), 'never', { signal }).next(),
  'timers/promises': signal => pause(60_000, null, { signal }),
  'fs/promises': signal => readFile(import.meta.filename, { signal }),
  'a pipeline': signal => pipeline(new Readable({ read: () => undefined }), new PassThrough(), { signal }),
  'a stream': signal => once(addAbortSignal(signal, new Readable({ read: () => undefined })), 'end'),
  'a web stream': signal => new ReadableStream().pipeTo(new WritableStream(), { signal }),
  'AbortSignal.any': signal => {
    const any = AbortSignal.any([signal, AbortSignal.timeout(60_000)])
    return new Promise((_, reject) => any.addEventListener('abort', () => reject(any.reason)))
  },
  'an event target': async signal => {
    const target = new EventTarget()
    const heard: Event[] = []
    target.addEventListener('tell', event => heard.push(event), { signal })
    await untilAborted(signal, target)
    target.dispatchEvent(new Event('tell'))
    if (heard.length === 0) throw WHY
  },
  'a process': signal =>
    once(spawn(process.execPath, ['--eval', 'setTimeout(() => {}, 60_000)'], { signal }), 'close'),
}

describe('a signal that is made when it is looked at', () => {
  it('EN18 makes none until then, and one only', () => {
    const { signal, made } = setUp()
    expect(typeof signal).toBe('object')
    expect(made).toHaveLength(0)
    expect(signal.aborted).toBe(false)
    expect(signal.reason).toBeUndefined()
    expect(made).toHaveLength(1)
  })

  it('EN18 is a signal to those who ask', () => {
    const { signal } = setUp()
    expect(signal).toBeInstanceOf(AbortSignal)
    expect(signal).toBeInstanceOf(EventTarget)
    expect(signal.constructor).toBe(AbortSignal)
    expect(Object.prototype.toString.call(signal)).toBe('[object AbortSignal]')
    expect('aborted' in signal).toBe(true)
    expect(() => inspect(signal)).not.toThrow()
    expect(new Request('http://localhost', { signal }).signal.aborted).toBe(false)
  })

  it('EN18 tells listeners, knows them, and keeps what is set', () => {
    const { signal, abort } = setUp()
    const heard: string[] = []
    const gone = (): number => heard.push('gone')
    const onabort = (): number => heard.push('onabort')
    signal.addEventListener('abort', () => heard.push('listener'), { once: true })
    signal.addEventListener('abort', gone)
    signal.removeEventListener('abort', gone)
    signal.onabort = onabort
    setMaxListeners(50, signal)
    expect(signal.onabort).toBe(onabort)
    expect(getEventListeners(signal, 'abort')).toHaveLength(2)
    Object.assign(signal, { mine: 1 })
    expect(Object.keys(signal)).toContain('mine')
    expect(Reflect.deleteProperty(signal, 'mine')).toBe(true)
    Object.defineProperty(signal, 'mine', { value: 2, configurable: true })
    expect(Object.hasOwn(signal, 'mine')).toBe(true)
    expect(Object.hasOwn(setUp().signal, 'mine')).toBe(false)
    signal.throwIfAborted()
    abort(WHY)
    expect(heard).toEqual(['listener', 'onabort'])
    expect(() => signal.throwIfAborted()).toThrow(WHY)
  })

  it.for(Object.entries(TAKERS))('EN18 is taken by %s', async ([, take]) => {
    const { signal, abort } = setUp()
    const taken = take(signal).then(
      () => 'ended',
      (error: unknown) => error,
    )
    abort(WHY)
    const error = await taken
    expect(error instanceof Error && (error === WHY || error.name === 'AbortError')).toBe(true)
  })

  it('EN18 is taken by fetch and by a request', () =>
    withServer(async url => {
      const [one, other] = [setUp(), setUp()]
      const fetched = fetch(url, { signal: one.signal }).catch((error: unknown) => error)
      const asked = once(request(url, { signal: other.signal }).end(), 'response').catch(
        (error: unknown) => error,
      )
      await pause(50)
      one.abort(WHY)
      other.abort(WHY)
      expect(await fetched).toBe(WHY)
      expect(await asked).toMatchObject({ name: 'AbortError' })
      await expect(fetch(url, { signal: one.signal })).rejects.toBe(WHY)
    }))
})
