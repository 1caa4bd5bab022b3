import { changeTicket, type Desk, type Person, queueReport, type Ticket } from './tickets.ts'

/** Action of a person at the help desk on a ticket. */
export type Action =
  | { readonly type: 'join'; readonly person: Person }
  | { readonly type: 'typing' | 'leave' }
  /** `id`: the message's own, unlike that of any other. */
  | { readonly type: 'say'; readonly id: string; readonly text: string }
  | { readonly type: 'refuse'; readonly reason: string }

/** The state of a ticket that each action needs. */
const REQUIRED_STATUS: Readonly<Record<Action['type'], Ticket['status']>> = {
  join: 'waiting',
  refuse: 'waiting',
  typing: 'active',
  say: 'active',
  leave: 'active',
}

/**
 * Does it, and queues the report to the platform.
 * @throws Error when the ticket's state does not allow it, in words for a person
 */
export function act(desk: Desk, number: number, action: Action): Desk {
  const ticket = desk.tickets.find(one => one.number === number)
  if (ticket === undefined) throw new Error(`There is no ticket ${number}.`)
  if (ticket.status !== REQUIRED_STATUS[action.type])
    throw new Error(
      `Ticket ${number} is ${ticket.status}: it has to be ${REQUIRED_STATUS[action.type]} to ${action.type}.`,
    )
  return changeTicket(desk, acted(ticket, action))
}

function acted(ticket: Ticket, action: Action): Ticket {
  switch (action.type) {
    case 'join':
      return queueReport(
        { ...ticket, status: 'active', person: action.person },
        { type: 'joined', agent: action.person },
      )
    case 'typing':
      return queueReport(ticket, { type: 'typing', state: 'started' })
    case 'say': {
      const line = { id: action.id, from: 'person' as const, text: action.text }
      return queueReport(
        { ...ticket, lines: [...ticket.lines, line] },
        { type: 'message', message_id: action.id, text: action.text },
      )
    }
    case 'leave':
      return queueReport({ ...ticket, status: 'closed' }, { type: 'left' })
    case 'refuse':
      return queueReport(
        { ...ticket, status: 'closed', note: action.reason },
        action.reason === '' ? { type: 'failed' } : { type: 'failed', reason: action.reason },
      )
  }
}
