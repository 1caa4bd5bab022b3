import cluster from 'node:cluster'
import { type Bus, type ConversationId, createLocalBus, type Notice } from '@colloquy/core'

/** What one process tells the others. */
interface Told {
  readonly conversationId: ConversationId
  readonly notice: Notice
}

/** Keeps notices apart from whatever else a host sends between its processes. */
interface Message {
  readonly colloquy: Told
}

/** Nobody but this program writes to its channels, so what bears the name is taken for it. */
const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'colloquy' in message

/**
 * In the primary process: passes each worker's notices to all other workers (CB1). It keeps nothing, and a notice to a worker that is going
 * is lost, as notices may be. The returned function ends it.
 */
export function relayNotices(): () => void {
  const relay = (from: unknown, message: unknown): void => {
    if (!isMessage(message)) return
    for (const worker of Object.values(cluster.workers ?? {}))
      if (worker !== undefined && worker !== from && worker.isConnected()) worker.send(message)
  }
  cluster.on('message', relay)
  return () => {
    cluster.off('message', relay)
  }
}

/**
 * In a worker: a bus whose notices reach the listeners of this process at once, and those of the others through the primary, which has
 * called {@link relayNotices}. Give it to `createPlatform({ bus })` of every worker. A process without a primary hears itself alone.
 */
export function createClusterBus(): Bus {
  const here = createLocalBus()
  process.on('message', message => {
    if (isMessage(message)) here.publish(message.colloquy.conversationId, message.colloquy.notice)
  })
  return {
    subscribe: here.subscribe,
    publish(conversationId, notice) {
      here.publish(conversationId, notice)
      const message: Message = { colloquy: { conversationId, notice } }
      if (process.connected) process.send?.(message)
    },
  }
}
