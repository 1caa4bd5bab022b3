import cluster, { type Worker } from 'node:cluster'
import { type Bus, type BusMessage, createLocalBus, type NoticeTopic } from '@colloquy/core'

/** What one process tells the others. */
interface Told {
  readonly topic: NoticeTopic
  readonly message: BusMessage
}

/** Keeps notices apart from whatever else a host sends between its processes. */
interface Message {
  readonly colloquy: Told
}

/** Only this program writes to its channels, so a message there is taken as its own. */
const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'colloquy' in message

/**
 * The end of a channel to another process. Its `send` is false when so much waits there already that it is unwise to
 * send more.
 */
interface Channel {
  send(message: object, sent: (error: Error | null) => void): boolean
}

/**
 * Sends to a process as long as it reads. One that has stopped reading, for example because it is suspended, loses what
 * comes until it has read what waits for it: notices may be lost, and a process that kept them would grow without bound
 * (CB6). True for what was sent.
 */
export function createSender(channel: Channel): (message: object) => boolean {
  let behind = false
  return message => {
    if (behind) return false
    const keepsUp = channel.send(message, () => {
      if (!keepsUp) behind = false
    })
    behind = !keepsUp
    return true
  }
}

/**
 * In the primary process: passes each worker's notices to all other workers (CB1). It keeps nothing, and a notice to a
 * worker that is going is lost, as notices may be. The returned function ends it.
 */
export function relayNotices(): () => void {
  const senders = new WeakMap<Worker, (message: object) => boolean>()
  const senderTo = (worker: Worker): ((message: object) => boolean) => {
    const known = senders.get(worker) ?? createSender(worker.process)
    senders.set(worker, known)
    return known
  }
  const relay = (from: unknown, message: unknown): void => {
    if (!isMessage(message)) return
    for (const worker of Object.values(cluster.workers ?? {}))
      if (worker !== undefined && worker !== from && worker.isConnected()) senderTo(worker)(message)
  }
  cluster.on('message', relay)
  return () => {
    cluster.off('message', relay)
  }
}

/**
 * In a worker: a bus to the other workers through the primary, which has called {@link relayNotices}. Give it to
 * `createPlatform({ bus })` of every worker. What a process says itself its platform has heard already.
 */
export function createClusterBus(): Bus {
  const here = createLocalBus()
  const toPrimary = createSender({
    send: (message, sent) => process.send?.(message, undefined, undefined, sent) ?? true,
  })
  process.on('message', message => {
    if (isMessage(message)) here.publish(message.colloquy.topic, message.colloquy.message)
  })
  return {
    subscribe: here.subscribe,
    publish(topic, message) {
      const told: Message = { colloquy: { topic, message } }
      if (process.connected) toPrimary(told)
    },
  }
}
