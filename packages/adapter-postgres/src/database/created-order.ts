import type { CreatedFilter } from '@colloquy/core/store'

/** The part of a list that is oldest first, as its statement takes it. */
export type Behind = { at: number; id: string; limit: number }

/** The first `limit` entries after the filter's position; without a position, of all entries. */
export const behind = ({ after }: CreatedFilter, limit: number): Behind => ({
  at: after?.createdAt ?? Number.MIN_SAFE_INTEGER,
  id: after?.id ?? '',
  limit,
})
