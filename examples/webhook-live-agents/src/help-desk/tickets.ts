import { z } from 'zod'
import { type Report, reportSchema } from '../reports.ts'

const personSchema = z.object({ id: z.string(), name: z.string(), avatar_url: z.string() })

const ticketSchema = z.object({
  /** The help desk's number for it. */
  number: z.int(),
  /** The platform's id for it. */
  handoffId: z.string(),
  accountId: z.string(),
  queue: z.string(),
  reason: z.string(),
  status: z.enum(['waiting', 'active', 'closed']),
  /** Why it was closed, if a reason was given. */
  note: z.string(),
  person: personSchema.nullable(),
  /** The position that the visitor was told last. */
  place: z.int().nullable(),
  transcript: z.array(z.object({ from: z.string(), text: z.string() })),
  /** Messages since the handoff. */
  lines: z.array(z.object({ id: z.string(), from: z.enum(['visitor', 'person']), text: z.string() })),
  /** Reports that the platform has not confirmed, oldest first. */
  reports: z.array(z.object({ id: z.string(), report: reportSchema })),
  /** Number of reports so far. */
  reported: z.int(),
})

/** The help desk's memory. */
export const deskSchema = z.object({ tickets: z.array(ticketSchema) })
export type Desk = z.output<typeof deskSchema>
/** One visitor's handoff, as the help desk has it. */
export type Ticket = Desk['tickets'][number]
/** A person who answers. */
export type Person = z.output<typeof personSchema>

export const EMPTY_DESK: Desk = { tickets: [] }

/** A ticket as it is opened. */
export const newTicket = (
  number: number,
  known: Pick<Ticket, 'handoffId' | 'accountId' | 'queue' | 'reason' | 'transcript'>,
): Ticket => ({
  ...known,
  number,
  status: 'waiting',
  note: '',
  person: null,
  place: null,
  lines: [],
  reports: [],
  reported: 0,
})

/** Fields of a report, except those that name its handoff. */
type Detail<One = Report> = One extends unknown ? Omit<One, 'handoff_id' | 'account_id'> : never

/** Puts a report behind those that wait. Its id is its own in all tickets, and the same however often it is sent. */
export function queueReport(ticket: Ticket, detail: Detail): Ticket {
  const about = { handoff_id: ticket.handoffId, account_id: ticket.accountId }
  const id = `${ticket.handoffId}-${ticket.reported + 1}`.replace(/[^\w-]/g, '_')
  const report = reportSchema.parse({ ...detail, ...about })
  return { ...ticket, reported: ticket.reported + 1, reports: [...ticket.reports, { id, report }] }
}

/** Closes a ticket that the platform has closed: nothing more has to be reported. */
export const closeSilently = (ticket: Ticket, note: string): Ticket => ({
  ...ticket,
  status: 'closed',
  note,
  reports: [],
})

/** Changes one ticket, and tells all who wait their position, where that has changed. */
export function changeTicket(desk: Desk, changed: Ticket): Desk {
  const tickets = desk.tickets.some(({ number }) => number === changed.number)
    ? desk.tickets.map(one => (one.number === changed.number ? changed : one))
    : [...desk.tickets, changed]
  const line = tickets.filter(({ status }) => status === 'waiting')
  return {
    tickets: tickets.map(ticket => {
      const ahead = line.filter(one => one.queue === ticket.queue && one.accountId === ticket.accountId)
      const place = ahead.findIndex(({ number }) => number === ticket.number) + 1
      if (place === 0 || place === ticket.place) return ticket
      const status = { type: 'queue_status', position: place, estimated_wait_seconds: null } as const
      return queueReport({ ...ticket, place }, status)
    }),
  }
}
