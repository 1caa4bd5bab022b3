import type { DeskSeat } from '../../domain/conversation/desk-seat.ts'
import type { DeskSeatStore } from '../../ports/store/desk-seats.ts'
import { absent, changed, type Guarded, plain, unchanged, versioned } from '../guarded.ts'
import { DESK_SEAT } from '../kinds.ts'

/** The most ended seats that one write removes. */
const ENDED = 20

/** Seats at the desks of accounts. */
export const deskSeatsOver = ({ decided, one, scan }: Guarded): DeskSeatStore => ({
  keep: (seat, at) =>
    decided(async () => {
      const known = await one(DESK_SEAT, seat.id)
      const range = { prefix: [seat.accountId], through: at - 1, limit: ENDED }
      const ended = (await scan(DESK_SEAT, 'account', range)).filter(({ id }) => id !== seat.id)
      const value = known === null ? versioned(seat) : changed<DeskSeat>(known, seat)
      const own = known === null ? absent(DESK_SEAT, seat.id) : unchanged(DESK_SEAT, known)
      return {
        when: [own, ...ended.map(other => unchanged(DESK_SEAT, other))],
        put: [{ kind: DESK_SEAT, value }],
        remove: ended.map(({ id }) => ({ kind: DESK_SEAT, id })),
        result: undefined,
      }
    }),
  list: async (accountId, at, limit) =>
    (await scan(DESK_SEAT, 'account', { prefix: [accountId], from: at + 1, limit })).map(plain<DeskSeat>),
  remove: id =>
    decided(async () => {
      const known = await one(DESK_SEAT, id)
      if (known === null) return { result: undefined }
      return { when: [unchanged(DESK_SEAT, known)], remove: [{ kind: DESK_SEAT, id }], result: undefined }
    }),
})
