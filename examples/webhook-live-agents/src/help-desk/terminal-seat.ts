import { randomUUID } from 'node:crypto'
import type { Seat } from '@colloquy/example-terminal-transport'
import type { Action } from './from-person.ts'
import type { HelpDesk } from './help-desk.ts'
import type { Person, Ticket } from './tickets.ts'

/** Returns the lines that a person at the help desk reads after a change to a ticket. */
export function newsOf(before: Ticket | null, after: Ticket): readonly string[] {
  const mark = `[help desk] Ticket ${after.number}`
  const opened =
    before === null ? [`${mark} waits in ${after.queue}, after ${after.transcript.length} lines.`] : []
  const said = after.lines
    .slice(before?.lines.length ?? 0)
    .flatMap(({ from, text }) => (from === 'visitor' ? [`${mark}, the visitor: ${text}`] : []))
  const closed = after.status === 'closed' && before?.status !== 'closed'
  const note = after.note === '' ? '' : ` (${after.note})`
  return [...opened, ...said, ...(closed ? [`${mark} is closed${note}.`] : [])]
}

/** A seat at the help desk, for the newest ticket that is not closed. */
export function createHelpDeskSeat(helpDesk: HelpDesk, person: Person): Seat {
  const act = (action: Action): void => {
    const ticket = helpDesk.tickets().findLast(({ status }) => status !== 'closed')
    if (ticket === undefined) throw new Error('No visitor is waiting.')
    helpDesk.act(ticket.number, action)
  }
  return {
    take: async () => act({ type: 'join', person }),
    typing: async () => act({ type: 'typing' }),
    say: async text => act({ type: 'say', id: randomUUID(), text }),
    leave: async () => act({ type: 'leave' }),
    reject: async reason => act({ type: 'refuse', reason }),
    settled: helpDesk.idle,
  }
}
