import { createServer } from 'node:http'
import { type Clock, systemClock } from '@colloquy/core'
import express from 'express'
import { type Call, callSchema } from '../calls.ts'
import { listen, stop } from '../listen.ts'
import { createPost } from '../post-signed.ts'
import { createSignedRouter, type Reply } from '../signed-router.ts'
import { type Action, act } from './from-person.ts'
import { settleReport, takeCall } from './from-platform.ts'
import { createOutbox, type Pauses } from './outbox.ts'
import { openTicketFile } from './ticket-file.ts'
import type { Desk, Ticket } from './tickets.ts'

/** Options of a help desk. */
export interface HelpDeskOptions {
  /** 0: any free one. */
  readonly port: number
  /** Keeps the tickets; null: they are gone with the process. */
  readonly file: string | null
  /** Checks the calls of the platform. */
  readonly callSecret: string
  /** Takes the reports, and what signs them. */
  readonly reports: { readonly url: string; readonly secret: string }
  /** Told of a ticket before and after something happened to it, and of a visitor who types. */
  readonly onChange?: (before: Ticket | null, after: Ticket) => void
  readonly onTyping?: (ticket: Ticket) => void
  readonly onTrouble?: (text: string) => void
  /** Between attempts to report something. @default {first: 250, longest: 5000} */
  readonly pauses?: Pauses
  /** @default the process's clock */
  readonly clock?: Clock
}

/** A help desk that runs. */
export interface HelpDesk {
  /** Takes the calls. */
  readonly url: string
  tickets(): readonly Ticket[]
  /**
   * Performs an action of a person at the help desk. It is stored before this returns, and reported to the platform in
   * the background.
   * @throws Error if the ticket's state does not allow it
   */
  act(number: number, action: Action): void
  /** Resolves when the platform has confirmed everything. */
  idle(): Promise<void>
  close(): Promise<void>
}

const BODY_BYTES = 4_194_304
const ANSWER_TIMEOUT = 5_000
const PAUSES: Pauses = { first: 250, longest: 5_000 }

/**
 * Stands for a live-agent system that a host has already: tickets, people who take them, calls in and reports out over
 * signed HTTP. It keeps everything before it answers, so it may be restarted at any moment (WL8).
 */
export async function startHelpDesk(options: HelpDeskOptions): Promise<HelpDesk> {
  const { callSecret, reports, onChange, onTyping, onTrouble = () => {}, clock = systemClock } = options
  const file = openTicketFile(options.file)
  let desk = file.load()

  function change(next: Desk): void {
    if (next === desk) return
    file.save(next)
    const before = new Map(desk.tickets.map(ticket => [ticket.number, ticket]))
    desk = next
    for (const ticket of next.tickets) {
      const old = before.get(ticket.number) ?? null
      if (old !== ticket) onChange?.(old, ticket)
    }
    outbox.look()
  }

  const outbox = createOutbox({
    read: () => desk,
    settle: (handoffId, reportId, verdict) => change(settleReport(desk, handoffId, reportId, verdict)),
    post: createPost({ ...reports, clock, timeout: ANSWER_TIMEOUT }),
    clock,
    pauses: options.pauses ?? PAUSES,
    onTrouble,
  })

  async function take(json: unknown): Promise<Reply> {
    const call = callSchema.safeParse(json)
    if (!call.success) return { status: 400, body: { error: 'This is no call of the platform.' } }
    return reply(call.data)
  }

  function reply(call: Call): Reply {
    const taken = takeCall(desk, call)
    if (taken.status === 'unknown') return { status: 404, body: { error: 'There is no such ticket.' } }
    if (taken.status === 'closed') return { status: 409, body: { error: 'The ticket is closed.' } }
    change(taken.desk)
    const ticket = desk.tickets.find(({ handoffId }) => handoffId === call.handoff.handoff_id)
    const types = call.type === 'visitor.typing' && call.state === 'started'
    if (types && ticket !== undefined) onTyping?.(ticket)
    return { status: 200, body: { ticket: ticket?.number } }
  }

  const app = express()
  const onError = (error: unknown): void => onTrouble(String(error))
  app.use('/calls', createSignedRouter({ secret: callSecret, clock, bodyBytes: BODY_BYTES, onError }, take))
  const server = createServer(app)
  const origin = await listen(server, options.port)
  outbox.look()
  return {
    url: `${origin}/calls`,
    tickets: () => desk.tickets,
    act: (number, action) => change(act(desk, number, action)),
    idle: outbox.idle,
    async close() {
      await stop(server)
      await outbox.stop()
    },
  }
}
