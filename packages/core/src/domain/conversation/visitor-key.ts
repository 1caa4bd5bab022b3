import type { RecordFacts } from './state.ts'

/** Names a visitor: the host's own id of the person, or the phone number of calls and texts. */
export type VisitorKey = { readonly visitorId: string } | { readonly phoneNumber: string }

/** Returns the number of the person at the other end. Null for a conversation without a phone number. */
export const numberOfVisitor = ({
  direction,
  fromNumber,
  toNumber,
}: Pick<RecordFacts, 'direction' | 'fromNumber' | 'toNumber'>): string | null =>
  (direction === 'outbound' ? toNumber : fromNumber) || null
