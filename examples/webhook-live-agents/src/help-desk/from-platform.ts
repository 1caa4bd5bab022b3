import type { Call } from '../calls.ts'
import { changeTicket, closeSilently, type Desk, newTicket, queueReport, type Ticket } from './tickets.ts'

/** Result of a call; `done` also for one that came before. */
export type Taken =
  | { readonly status: 'done'; readonly desk: Desk }
  | { readonly status: 'unknown' }
  | { readonly status: 'closed' }

/** Takes a call of the platform. Each takes effect once (WL8). */
export function takeCall(desk: Desk, call: Call): Taken {
  const ticket = desk.tickets.find(({ handoffId }) => handoffId === call.handoff.handoff_id)
  switch (call.type) {
    case 'handoff.requested':
      if (ticket !== undefined) return { status: 'done', desk }
      return done(desk, queueReport(open(desk, call, call.transcript), { type: 'accepted' }))
    case 'visitor.message':
      if (ticket === undefined) return { status: 'unknown' }
      if (ticket.lines.some(({ id }) => id === call.message.message_id)) return { status: 'done', desk }
      return ticket.status === 'closed' ? { status: 'closed' } : done(desk, withLine(ticket, call.message))
    case 'visitor.typing':
      return ticket === undefined ? { status: 'unknown' } : { status: 'done', desk }
    case 'handoff.cancelled':
      // Kept also without a ticket: the request may still be on its way, and has to find that it is over.
      return done(desk, closeSilently(ticket ?? open(desk, call, []), call.reason))
  }
}

const done = (desk: Desk, ticket: Ticket): Taken => ({ status: 'done', desk: changeTicket(desk, ticket) })

const open = (desk: Desk, { handoff }: Call, transcript: Ticket['transcript']): Ticket =>
  newTicket(desk.tickets.length + 1, {
    handoffId: handoff.handoff_id,
    accountId: handoff.account_id,
    queue: handoff.queue_name,
    reason: handoff.reason,
    transcript,
  })

const withLine = (
  ticket: Ticket,
  message: { readonly message_id: string; readonly text: string },
): Ticket => ({
  ...ticket,
  lines: [...ticket.lines, { id: message.message_id, from: 'visitor', text: message.text }],
})

/** The platform's response to a report: accepted, not allowed in that state, or too late for the handoff. */
export type Verdict = 'taken' | 'refused' | 'over'

/** Takes a report off the list of what the platform has not confirmed. */
export function settleReport(desk: Desk, handoffId: string, reportId: string, verdict: Verdict): Desk {
  const ticket = desk.tickets.find(one => one.handoffId === handoffId)
  if (ticket === undefined || !ticket.reports.some(({ id }) => id === reportId)) return desk
  if (verdict === 'over') return changeTicket(desk, closeSilently(ticket, ticket.note || 'over'))
  return changeTicket(desk, { ...ticket, reports: ticket.reports.filter(({ id }) => id !== reportId) })
}
