import { createSeenBefore, type SeenBefore } from '../../domain/bus/seen-before.ts'
import { createSigner, derivedSecret, type Signer } from '../../domain/bus/signature.ts'
import type { Bus, BusMessage } from '../../ports/bus.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Notice, NoticeTopic } from '../../ports/notices.ts'
import type { Settings } from '../../settings/settings.ts'
import { callHost } from '../../shared/call-host.ts'
import { bareNotice, type ReadMessage, readMessage, signMessage } from './message.ts'

/** A message older than this, milliseconds, only counts for the length of the log: it may be a replayed recording. */
const OLDEST = 60_000

/** Messages that wait for the key. */
const MOST_WAITING = 1_000

/** At most one warning about refused messages in so long, milliseconds. */
const QUIET = 60_000

/** The parts of a platform that its end of a bus needs. */
export interface HostBusOptions {
  /** The name of this process on the bus. */
  readonly from: string
  /** Reads the deployment's key, which all processes over the store share. */
  readonly key: () => Promise<string>
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  readonly log: Log
  /** Called with what the bus throws, or rejects with. */
  readonly onError: Settings['onError']
}

/** The receiver of other processes' notices. */
export interface Receiver {
  notice(topic: NoticeTopic, notice: Notice): void
  gap(topic: NoticeTopic): void
}

/** This process's end of the host's bus. Its methods do not throw. */
export interface HostBus {
  publish(topic: NoticeTopic, notice: Notice): void
  /** To be called once for each topic. The returned function ends the subscription. */
  subscribe(topic: NoticeTopic): () => void
}

/** Warns of refused messages, once a minute: anybody who reaches the broker may send any number of them. */
function createRefusals({ clock, log }: Pick<HostBusOptions, 'clock' | 'log'>) {
  let last: number | null = null
  let times = 0
  return (topic: NoticeTopic): void => {
    times++
    const now = clock.monotonic()
    if (last !== null && now - last < QUIET) return
    last = now
    log.warn('A message on the bus was not signed by a process of this deployment, and is ignored.', {
      ...{ topic, times },
    })
    times = 0
  }
}

/**
 * Reads the key once, when the bus is first used. A failed read is tried again at the next use.
 *
 * @param ready called once, as soon as the key is there
 * @param failed called for each failed read
 */
function createKeyReader(
  key: () => Promise<string>,
  ready: (secret: string) => void,
  failed: (error: unknown) => void,
) {
  let state: 'unread' | 'reading' | 'read' = 'unread'
  return (): void => {
    if (state !== 'unread') return
    state = 'reading'
    key()
      .then(secret => {
        state = 'read'
        ready(secret)
      })
      .catch(error => {
        if (state === 'reading') state = 'unread'
        failed(error)
      })
  }
}

function read(key: Signer, topic: NoticeTopic, given: unknown): ReadMessage {
  try {
    return readMessage(key, topic, given)
  } catch {
    // Nested too deeply to be written again, for example.
    return 'malformed'
  }
}

/**
 * Returns the one place where messages of a bus come in and go out (NT37): they are signed with the
 * deployment's key, verified, and taken once. Until the key is read, messages to others wait. Then topics that got
 * messages of others are notified of a gap.
 */
export function createHostBus(bus: Bus, options: HostBusOptions, receiver: Receiver): HostBus {
  const { from, clock, onError } = options
  const refuse = createRefusals(options)
  const unread = new Set<NoticeTopic>()
  let signer: Signer | null = null
  let waiting: (readonly [NoticeTopic, Notice])[] = []
  let number = 0

  const failed = (error: unknown): void => onError(error, 'bus publish')

  function send(key: Signer, topic: NoticeTopic, notice: Notice): void {
    callHost(
      () => bus.publish(topic, signMessage(key, topic, { from, number: number++, at: clock.now(), notice })),
      failed,
    )
  }

  function ready(secret: string): void {
    const key = createSigner(derivedSecret(secret, 'bus messages'))
    signer = key
    callHost(() => bus.nameChannels?.(derivedSecret(secret, 'bus channels')), failed)
    for (const [topic, notice] of waiting) send(key, topic, notice)
    waiting = []
    for (const topic of unread) receiver.gap(topic)
    unread.clear()
  }

  const readKey = createKeyReader(options.key, ready, error => {
    waiting = []
    onError(error, 'bus key')
  })

  function take(topic: NoticeTopic, seen: SeenBefore, message: BusMessage): void {
    const late = Math.abs(clock.now() - message.at) > OLDEST
    if (seen.isNew(message.from, message.number) && !late) receiver.notice(topic, message.notice)
    // A repeated question was answered.
    else if (topic !== 'question') receiver.notice(topic, bareNotice(message.notice))
  }

  function hear(topic: NoticeTopic, seen: SeenBefore, given: unknown): void {
    if (isFrom(from, given)) return
    if (signer === null) {
      unread.add(topic)
      return
    }
    const message = read(signer, topic, given)
    if (typeof message === 'string') refuse(topic)
    else take(topic, seen, message)
  }

  function listenTo(topic: NoticeTopic): () => void {
    const seen = createSeenBefore()
    const listener = { message: (given: unknown) => hear(topic, seen, given), gap: () => receiver.gap(topic) }
    const stop: unknown = bus.subscribe(topic, listener)
    if (typeof stop === 'function') return () => Reflect.apply(stop, bus, [])
    callHost(
      () => stop,
      () => undefined,
    )
    throw new TypeError('bus.subscribe must return a function that ends the subscription.')
  }

  return {
    publish(topic, notice) {
      readKey()
      if (signer !== null) send(signer, topic, notice)
      else if (waiting.length < MOST_WAITING) waiting.push([topic, notice])
    },
    subscribe(topic) {
      readKey()
      try {
        const stop = listenTo(topic)
        return () => callHost(stop, error => onError(error, 'bus subscribe'))
      } catch (error) {
        onError(error, 'bus subscribe')
        return () => undefined
      }
    },
  }
}

const isFrom = (from: string, message: unknown): boolean =>
  typeof message === 'object' && message !== null && Reflect.get(message, 'from') === from
