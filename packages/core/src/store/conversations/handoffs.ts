import { claimReach } from '../../domain/claim-reach.ts'
import type { HandoffStore } from '../../ports/store/handoffs.ts'
import type { Versioned } from '../documents.ts'
import { absent, changed, type Guarded, unchanged, versioned } from '../guarded.ts'
import { DESK_OUTCOME } from '../kinds.ts'
import { CONVERSATION, HANDOFF_WAIT, WAITING_LINE, type WaitingLine } from './kinds.ts'

/** Behind every id. */
const LAST_ID = '\u{10ffff}'

/** Conversations that wait for, or have, a live agent. */
export function handoffsOver({ get, scan, write }: Guarded): HandoffStore {
  /** Accounts in which somebody waits, with their lines. */
  async function lines(): Promise<
    readonly { readonly id: string; readonly line: Versioned<WaitingLine> | null }[]
  > {
    const ids: string[] = []
    for (let after: readonly string[] | undefined; ; ) {
      const [next] = await scan(CONVERSATION, 'waiting', { prefix: [], after, limit: 1 })
      if (next === undefined) break
      const { accountId } = next.index
      ids.push(accountId)
      after = [accountId, LAST_ID]
    }
    const known = await get(WAITING_LINE, ids)
    return ids.map((id, at) => ({ id, line: known[at] ?? null }))
  }

  return {
    async list(accountId, status) {
      const found = await scan(CONVERSATION, 'handoff', { prefix: [accountId, status] })
      return found.flatMap(({ id: conversationId, index: { handoff, language } }) => {
        if (handoff === null) return []
        const { id, liveAgentId = null, queueName, since } = handoff
        return [{ conversationId, handoffId: id, status, queueName, since, liveAgentId, language }]
      })
    },
    async findShared(accountId, agentId, sharedId) {
      const range = { prefix: [accountId, agentId, sharedId], descending: true, limit: 1 }
      const [found] = await scan(CONVERSATION, 'shared', range)
      return found?.id ?? null
    },
    async joinedWaits(accountId, queueName, since, limit) {
      const prefix = [accountId, queueName]
      const waits = await scan(HANDOFF_WAIT, 'queue', { prefix, from: since, descending: true, limit })
      return waits.map(({ joinedAt, waited }) => ({ joinedAt, waited }))
    },
    outcomes: (accountId, { from, through }, limit) =>
      scan(DESK_OUTCOME, 'account', { prefix: [accountId], from, through, descending: true, limit }),
    async claimLines(now, until) {
      const reach = claimReach(now, until)
      const free = (await lines()).filter(({ line }) => {
        const held = line?.heldUntil ?? now
        return held <= now || held > reach
      })
      const claimed = await Promise.all(
        free.map(async ({ id, line }) => {
          const heldUntil = until
          const value = line === null ? versioned({ accountId: id, heldUntil }) : changed(line, { heldUntil })
          const when = [line === null ? absent(WAITING_LINE, id) : unchanged(WAITING_LINE, line)]
          return (await write({ when, put: [{ kind: WAITING_LINE, value }] })) === null ? [id] : []
        }),
      )
      return claimed.flat()
    },
    async nextLine() {
      const held = (await lines()).map(({ line }) => line?.heldUntil ?? 0)
      return held.length === 0 ? null : Math.min(...held)
    },
  }
}
