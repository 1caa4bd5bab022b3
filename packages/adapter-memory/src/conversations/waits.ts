import type { HandoffWait, JoinedWait } from '@colloquy/core/store'

/** Waits of visitors by account and queue. Values in it are replaced, never changed. */
export function createWaits() {
  const queues = new Map<string, readonly JoinedWait[]>()
  const keyOf = (accountId: string, queueName: string): string => JSON.stringify([accountId, queueName])

  return {
    /** Keeps a wait, and forgets those of its queue from before `keepSince`. */
    add({ accountId, queueName, joinedAt, waited, keepSince }: HandoffWait): void {
      const key = keyOf(accountId, queueName)
      const kept = queues.get(key)?.filter(earlier => earlier.joinedAt >= keepSince) ?? []
      queues.set(key, [...kept, { joinedAt, waited }])
    },
    /** The newest waits of a queue since then, newest first. */
    newest(accountId: string, queueName: string, since: number, limit: number): readonly JoinedWait[] {
      const waits = queues.get(keyOf(accountId, queueName))?.filter(({ joinedAt }) => joinedAt >= since) ?? []
      return waits.toSorted((one, other) => other.joinedAt - one.joinedAt).slice(0, limit)
    },
  }
}
