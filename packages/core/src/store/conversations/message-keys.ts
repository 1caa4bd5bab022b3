import type { MessageKeyStore } from '../../ports/store/message-keys.ts'
import { absent, type Guarded, unchanged } from '../guarded.ts'
import { CONVERSATION, MESSAGE_KEY } from './kinds.ts'

/** The number of free keys to forget when another one is taken. */
const FORGOTTEN_AT_ONCE = 100

type Taking = Parameters<MessageKeyStore['take']>[0]
type Taken = Awaited<ReturnType<MessageKeyStore['take']>>

/** Returns the store of message keys, each of which stands for a conversation. */
export function messageKeysOver({ decided, one, scan, write }: Guarded): MessageKeyStore {
  /** One that is taken again meanwhile stays, with the others: they are forgotten the next time. */
  async function forget(freeUntil: number): Promise<void> {
    const free = await scan(MESSAGE_KEY, 'time', { prefix: [], through: freeUntil, limit: FORGOTTEN_AT_ONCE })
    if (free.length === 0) return
    const remove = free.map(({ key }) => ({ kind: MESSAGE_KEY, id: key }))
    await write({ when: free.map(key => unchanged(MESSAGE_KEY, key)), remove })
  }

  /** @param isGiven whoever has it */
  async function take({ at, conversationId, freeUntil, key }: Taking, isGiven: boolean): Promise<Taken> {
    const taken = await decided<Taken>(async () => {
      const held = await one(CONVERSATION, conversationId)
      if (held === null) return { result: 'missing' }
      const known = await one(MESSAGE_KEY, key)
      if (!isGiven && known !== null && known.at > freeUntil)
        return { result: known.conversationId === conversationId ? 'taken' : 'held' }
      const value = { key, conversationId, at, version: (known?.version ?? 0) + 1 }
      return {
        when: [
          known === null ? absent(MESSAGE_KEY, key) : unchanged(MESSAGE_KEY, known),
          unchanged(CONVERSATION, held),
        ],
        put: [{ kind: MESSAGE_KEY, value }],
        result: 'taken',
      }
    })
    if (taken === 'taken') await forget(freeUntil)
    return taken
  }

  return {
    take: taking => take(taking, false),
    give: async giving => (await take(giving, true)) === 'taken',
    async holder(key, freeUntil) {
      const known = await one(MESSAGE_KEY, key)
      return known === null || known.at <= freeUntil ? null : known.conversationId
    },
  }
}
