import type { HandoffId, LiveAgentCallbacks, LiveAgents } from '@colloquy/core'

/** A helpdesk as its own client library offers it. What comes again under the same key has no further effect. */
export interface Helpdesk {
  openTicket(ticket: {
    readonly key: string
    readonly queue: string
    readonly subject: string
  }): Promise<void>
  addComment(comment: { readonly key: string; readonly ticket: string; readonly text: string }): Promise<void>
  closeTicket(ticket: string, reason: string): Promise<void>
}

/** An event of a ticket, which the helpdesk posts for example to a webhook of the host. */
export type HelpdeskEvent = { readonly ticket: HandoffId } & (
  | { readonly type: 'assigned'; readonly person: { readonly id: string; readonly name: string } }
  | { readonly type: 'comment'; readonly key: string; readonly text: string }
  | { readonly type: 'solved' }
  | { readonly type: 'refused'; readonly reason: string }
)

/** Connects the helpdesk: `createPlatform({ …, liveAgents: viaHelpdesk(helpdesk) })`. */
export const viaHelpdesk =
  (helpdesk: Helpdesk) =>
  (callbacks: LiveAgentCallbacks): LiveAgents => ({
    async request({ handoffId, queueName, reason }) {
      await helpdesk.openTicket({ key: handoffId, queue: queueName, subject: reason })
      await callbacks.accepted(handoffId)
    },
    forward: ({ handoffId }, { messageId, text }) =>
      helpdesk.addComment({ key: messageId, ticket: handoffId, text }),
    async visitorTyping() {},
    cancel: ({ handoffId }, reason) => helpdesk.closeTicket(handoffId, reason),
  })

/** Passes on what the helpdesk reports. False: the handoff is over, and nothing came of it. */
export function report(liveAgents: LiveAgentCallbacks, event: HelpdeskEvent): Promise<boolean> {
  const { ticket } = event
  switch (event.type) {
    case 'assigned':
      return liveAgents.joined(ticket, { ...event.person, avatarUrl: '' })
    case 'comment':
      return liveAgents.message(ticket, { messageId: event.key, text: event.text })
    case 'solved':
      return liveAgents.left(ticket)
    case 'refused':
      return liveAgents.failed(ticket, event.reason)
  }
}
