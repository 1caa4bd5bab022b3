import { codeKey, type SharedReply } from '../../domain/conversation/shared-reply.ts'
import type { SavedReply, SharedReplyStore } from '../../ports/store/shared-replies.ts'
import type { Condition } from '../documents.ts'
import { absent, type Guarded, unchanged } from '../guarded.ts'
import { AGENT, SHARED_REPLY } from '../kinds.ts'

/** Replies that the live agents of accounts share. */
export function sharedRepliesOver({ decided, first, one, scan }: Guarded): SharedReplyStore {
  /** Returns the condition that the agent of a reply is there; null if it is not. */
  async function ofAgent({ accountId, agentId }: SharedReply): Promise<readonly Condition[] | null> {
    if (agentId === null) return []
    const agent = await one(AGENT, agentId)
    return agent?.accountId === accountId ? [unchanged(AGENT, agent)] : null
  }

  return {
    async find(accountId, id) {
      const reply = await one(SHARED_REPLY, id)
      return reply?.accountId === accountId ? reply : null
    },
    list: accountId => scan(SHARED_REPLY, 'account', { prefix: [accountId] }),
    save: (reply, expectedVersion, most, outbox) =>
      decided<SavedReply>(async () => {
        const { accountId, code, id } = reply
        const known = await one(SHARED_REPLY, id)
        if ((known?.version ?? 0) !== expectedVersion) return { result: 'stale' }
        const prefix = [accountId, codeKey(code)]
        const other = await first(SHARED_REPLY, 'account', prefix)
        if (other !== null && other.id !== id) return { result: 'code_taken' }
        const agent = await ofAgent(reply)
        if (agent === null) return { result: 'no_agent' }
        const room = { kind: SHARED_REPLY, index: 'account', prefix: [accountId], atMost: most - 1 }
        return {
          when: [
            ...(known === null ? [room, absent(SHARED_REPLY, id)] : [unchanged(SHARED_REPLY, known)]),
            ...(other === null ? [{ kind: SHARED_REPLY, index: 'account', prefix, atMost: 0 }] : []),
            ...agent,
          ],
          put: [{ kind: SHARED_REPLY, value: reply }],
          outbox,
          result: 'saved',
          refused: place => (known === null && place === 0 ? 'full' : undefined),
        }
      }),
    remove: (accountId, id, outbox) =>
      decided(async () => {
        const known = await one(SHARED_REPLY, id)
        if (known?.accountId !== accountId) return { result: false }
        const when = [unchanged(SHARED_REPLY, known)]
        return { when, remove: [{ kind: SHARED_REPLY, id }], outbox, result: true }
      }),
  }
}
