import type { AccountId } from '@colloquy/core'
import { claimReach, type HandoffEntry, type HandoffStore } from '@colloquy/core/store'
import type { HeldConversation, HeldConversations } from './held-conversation.ts'
import type { createWaits } from './waits.ts'

function handoffOf({ id, index: { handoff } }: HeldConversation): HandoffEntry[] {
  if (handoff === null) return []
  const { status, queueName, since } = handoff
  return [{ conversationId: id, handoffId: handoff.id, status, queueName, since }]
}

/** Conversations that wait for, or have, a live agent. */
export function handoffMethods(
  { conversations, handedOff }: HeldConversations,
  waits: ReturnType<typeof createWaits>,
): HandoffStore {
  /** Until when an account's line is held. */
  const lines = new Map<AccountId, number>()

  const waitingAccounts = (): readonly AccountId[] => {
    const waiting = [...handedOff.keys()].filter(({ index }) => index.handoff?.status === 'waiting')
    return [...new Set(waiting.map(({ index }) => index.accountId))]
  }

  return {
    async list(accountId, status) {
      const all = [...handedOff.keys()].filter(({ index }) => index.accountId === accountId)
      return all.flatMap(handoffOf).filter(entry => entry.status === status)
    },
    async findShared(accountId, agentId, sharedId) {
      let found: HeldConversation | null = null
      for (const held of conversations.values()) {
        const { shared, ...of } = held.index
        if (of.accountId !== accountId || of.agentId !== agentId || shared?.id !== sharedId) continue
        if (found === null || shared.at > (found.index.shared?.at ?? 0)) found = held
      }
      return found?.id ?? null
    },
    joinedWaits: async (accountId, queueName, since, limit) =>
      waits.newest(accountId, queueName, since, limit),
    nextLine: async () =>
      waitingAccounts()
        .map(id => lines.get(id) ?? 0)
        .sort((one, other) => one - other)[0] ?? null,
    async claimLines(now, until) {
      const reach = claimReach(now, until)
      const free = waitingAccounts().filter(id => {
        const held = lines.get(id) ?? now
        return held <= now || held > reach
      })
      for (const id of free) lines.set(id, until)
      return free
    },
  }
}
