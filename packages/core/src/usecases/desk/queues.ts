import * as z from 'zod'
import { type CallsOf, callsWith, type InputOf } from '../../calls/call.ts'
import { changedFields } from '../../domain/audit/details.ts'
import { queueNameSchema } from '../../domain/conversation/desk-service.ts'
import {
  type DeskQueue,
  isOpenAt,
  isTimeZone,
  opensAt,
  type QueueHours,
} from '../../domain/conversation/queue-hours.ts'
import type { AccountId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import { isoTime } from '../../domain/time.ts'
import { PlatformError } from '../../errors.ts'
import { findAccount } from '../access/find-owner.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import type { Acting, Context } from '../context.ts'
import { accountId } from '../shared/arguments.ts'
import { untilWritten } from '../shared/until-written.ts'

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/
const END = /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/

/** The schema of {@link QueueHoursInput}. */
export const queueHoursSchema = z.object({
  /** A name of the IANA database, for example `Europe/Berlin`. */
  timeZone: z.string().max(64).refine(isTimeZone, 'expected an IANA time zone, for example Europe/Berlin'),
  /** At most 70 times of a week, `{day, from, to}`: 1 is Monday, `from` is before `to`, `to` at most 24:00. */
  weekly: z
    .array(
      z
        .object({
          day: z.int().min(1).max(7),
          from: z.string().regex(TIME, 'expected HH:MM'),
          to: z.string().regex(END, 'expected HH:MM, at most 24:00'),
        })
        .refine(({ from, to }) => from < to, 'expected "from" before "to"'),
    )
    .max(70),
  /** At most 400 dates, `YYYY-MM-DD`. @default none */
  holidays: z.array(z.iso.date('expected a date, YYYY-MM-DD')).max(400).default([]),
})

/** The hours of a queue, as they are set. */
export type QueueHoursInput = InputOf<typeof queueHoursSchema>

/** The hours of a queue, and whether it is open now. */
export interface OpenQueue extends QueueHours {
  readonly queueName: string
  readonly isOpen: boolean
  /** The time at which it opens next, milliseconds. Null while it is open, and if it stays closed for 400 days. */
  readonly opensAt: number | null
}

/** The hours of the queues of an account (DK557). A queue without hours is always open. */
export interface DeskQueues {
  /** Lists the queues that have hours, by name. */
  list(accountId: AccountId): Promise<readonly OpenQueue[]>
  /** Sets the hours of a queue. @throws QUEUES_LIMIT, WRITE_CONFLICT */
  setHours(accountId: AccountId, queueName: string, hours: QueueHoursInput): Promise<OpenQueue>
  /** Removes the hours of a queue, which is always open then. @throws QUEUE_NOT_FOUND */
  removeHours(accountId: AccountId, queueName: string): Promise<void>
}

const described = (
  { holidays, queueName, timeZone, weekly }: Omit<DeskQueue, 'accountId' | 'version'>,
  now: number,
): OpenQueue => {
  const hours = { timeZone, weekly, holidays }
  const isOpen = isOpenAt(hours, now)
  return { ...hours, queueName, isOpen, opensAt: isOpen ? null : opensAt(hours, now) }
}

/** A closed queue. */
export interface ClosedQueue {
  /** The time at which it opens next, milliseconds. Null if it stays closed for 400 days. */
  readonly opensAt: number | null
  /** The IANA time zone of its hours. */
  readonly timeZone: string
}

/** Returns when a queue opens that is closed now. Null for one that is open. */
export async function closedQueue(
  { clock, store }: Pick<Context, 'clock' | 'store'>,
  ofAccount: AccountId,
  queueName: string,
): Promise<ClosedQueue | null> {
  const hours = await store.access.deskQueues.find(ofAccount, queueName)
  const now = clock.now()
  if (hours === null || isOpenAt(hours, now)) return null
  return { opensAt: opensAt(hours, now), timeZone: hours.timeZone }
}

/** Says until when a queue is closed. */
export const closedUntil = ({ opensAt: at }: ClosedQueue): string =>
  at === null ? 'closed' : `closed until ${isoTime(at)}`

const conflict = (): PlatformError =>
  new PlatformError('WRITE_CONFLICT', 'The hours are being changed too often. Try again.')

const shown = ({ holidays, timeZone, weekly }: QueueHours): JsonObject => ({
  timeZone,
  weekly: weekly.map(({ day, from, to }) => `${day} ${from}-${to}`),
  holidays: [...holidays],
})

async function setHours(
  context: Acting,
  ofAccount: AccountId,
  queueName: string,
  hours: z.output<typeof queueHoursSchema>,
): Promise<OpenQueue> {
  const { clock, settings, store } = context
  const { id } = await findAccount(context, ofAccount)
  const { deskQueues } = store.access
  return untilWritten(conflict, async () => {
    const before = await deskQueues.find(id, queueName)
    const changes = changedFields(before === null ? {} : shown(before), shown(hours))
    if (before !== null && Object.keys(changes).length === 0) return described(before, clock.now())
    const version = (before?.version ?? 0) + 1
    const next = { ...hours, accountId: id, queueName, version }
    const subject = { accountId: id, resourceId: queueName, details: { changes } }
    const audit = auditEntry(context, 'queue.hours_changed', subject)
    const result = await deskQueues.save(next, version - 1, settings.deskQueues, { audit })
    if (result === 'full')
      throw new PlatformError(
        'QUEUES_LIMIT',
        `An account has hours for at most ${settings.deskQueues} queues.`,
      )
    return result === 'stale' ? 'stale' : described(next, clock.now())
  })
}

async function removeHours(context: Acting, ofAccount: AccountId, queueName: string): Promise<void> {
  const audit = auditEntry(context, 'queue.hours_removed', { accountId: ofAccount, resourceId: queueName })
  if (!(await context.store.access.deskQueues.remove(ofAccount, queueName, { audit })))
    throw new PlatformError('QUEUE_NOT_FOUND', 'The account has no hours for a queue of that name.')
}

const { call, act } = callsWith<Context, Acting>()
const queueName = ['queueName', queueNameSchema] as const

/** The implementations of the calls about the hours of queues. */
export const deskQueueCalls = {
  list: call(
    () => [accountId],
    async ({ clock, store }, ofAccount) =>
      (await store.access.deskQueues.list(ofAccount)).map(queue => described(queue, clock.now())),
  ),
  setHours: act(() => [accountId, queueName, queueHoursSchema], setHours),
  removeHours: act(() => [accountId, queueName], removeHours),
} satisfies CallsOf<DeskQueues, Context>
