import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import type { VisitorKey } from '../../domain/conversation/visitor-key.ts'
import { onFirstUse } from '../../domain/on-first-use.ts'
import { stopSignal } from '../shared/arguments.ts'

const one = z.string().min(1).max(200)

/** The fields by which a visitor is found. */
const visitorFields = {
  /** The host's own id of the person, as in `createSession`. */
  visitorId: one.exactOptional(),
  /** The number of calls and texts, as it is stored: E.164 for most. */
  phoneNumber: one.exactOptional(),
}

const isOne = ({ phoneNumber, visitorId }: { readonly visitorId?: string; readonly phoneNumber?: string }) =>
  (visitorId === undefined) !== (phoneNumber === undefined)

const ALLOWED = 'expected one of visitorId and phoneNumber'

/** The schema of {@link VisitorInput}. */
export const visitorSchema = onFirstUse(() => z.object(visitorFields).refine(isOne, ALLOWED))

/** The visitor of an account whose data is read. */
export type VisitorInput = InputOf<ReturnType<typeof visitorSchema>>

/** The schema of {@link VisitorRemoval}. */
export const visitorRemovalSchema = onFirstUse(() =>
  z
    .object({
      ...visitorFields,
      /** Stops between two conversations. Those removed by then stay removed. @default never */
      signal: stopSignal.exactOptional(),
    })
    .refine(isOne, ALLOWED),
)

/** The visitor of an account whose data is removed. */
export type VisitorRemoval = InputOf<ReturnType<typeof visitorRemovalSchema>>

/** Returns the key of a visitor that was checked. */
export const keyOfVisitor = ({ phoneNumber = '', visitorId }: VisitorInput): VisitorKey =>
  visitorId === undefined ? { phoneNumber } : { visitorId }

/** The word in the audit log for how a visitor was named: the log does not name the visitor. */
export const wayOf = (visitor: VisitorKey): string => ('visitorId' in visitor ? 'visitor_id' : 'phone_number')
