import type { DeskRosterStore } from '../../ports/store/desk-rosters.ts'
import { CONVERSATION } from '../conversations/kinds.ts'
import { type Guarded, unchanged } from '../guarded.ts'
import { DESK_OUTCOME, DESK_ROSTER } from '../kinds.ts'

/** Rosters of the desks of accounts. */
export const deskRostersOver = ({ decided, one, save, scan }: Guarded): DeskRosterStore => ({
  find: accountId => one(DESK_ROSTER, accountId),
  save: (roster, expectedVersion, outcome) =>
    outcome === undefined
      ? save(DESK_ROSTER, roster, expectedVersion)
      : decided(async () => {
          const held = await one(CONVERSATION, outcome.conversationId)
          const isThere = held !== null && held.index.accountId === outcome.accountId
          const before = await one(DESK_ROSTER, roster.accountId)
          if ((before?.version ?? 0) !== expectedVersion) return { result: false }
          return {
            when: [
              { kind: DESK_ROSTER, id: roster.accountId, version: expectedVersion },
              // An outcome must not outlive a conversation that is being removed.
              ...(isThere ? [unchanged(CONVERSATION, held)] : []),
            ],
            put: [
              { kind: DESK_ROSTER, value: roster },
              ...(isThere ? [{ kind: DESK_OUTCOME, value: outcome }] : []),
            ],
            result: true,
          }
        }),
  withOffers: limit => scan(DESK_ROSTER, 'due', { prefix: [], limit }),
})
