import type { DeskRosterStore } from '../../ports/store/desk-rosters.ts'
import type { Guarded } from '../guarded.ts'
import { DESK_ROSTER } from '../kinds.ts'

/** Rosters of the desks of accounts. */
export const deskRostersOver = ({ one, save, scan }: Guarded): DeskRosterStore => ({
  find: accountId => one(DESK_ROSTER, accountId),
  save: (roster, expectedVersion) => save(DESK_ROSTER, roster, expectedVersion),
  withOffers: limit => scan(DESK_ROSTER, 'due', { prefix: [], limit }),
})
