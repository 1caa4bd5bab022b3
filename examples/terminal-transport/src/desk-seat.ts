import type { AccountId, DeskEvent, HandoffId, LiveAgent, Platform } from '@colloquy/core'
import type { Seat } from './seat.ts'

/** Returns the line for an event at the desk. */
function lineOf(event: DeskEvent): string | null {
  switch (event.type) {
    case 'waiting':
      return `[desk] Somebody waits in ${event.handoff.queueName}: /desk take`
    case 'accepted':
      return null
    case 'visitor_message':
      return `[desk] The visitor: ${event.message.text}`
    case 'visitor_typing':
      return event.state === 'started' ? '[desk] The visitor types …' : null
    case 'visitor_presence':
      return event.state === 'gone' ? '[desk] The visitor has gone.' : '[desk] The visitor is back.'
    case 'note':
      return `[desk] Note of ${event.note.author.name}: ${event.note.text}`
    case 'offered':
      return event.offered === null ? null : `[desk] Offered to ${event.offered.liveAgent.name}.`
    case 'away':
      return `[desk] ${event.liveAgentId} is ${event.since === null ? 'back' : 'away'}.`
    case 'summary':
      return event.summary.text === '' ? null : `[desk] Summary: ${event.summary.text}`
    case 'ended':
      return `[desk] It is over${event.reason === null ? '' : ` (${event.reason})`}.`
  }
}

/**
 * A live agent at the built-in desk, who serves the newest visitor of the account.
 *
 * @param tell shows a line
 */
export async function openDeskSeat(
  { desk }: Pick<Platform, 'desk'>,
  accountId: AccountId,
  agent: LiveAgent,
  tell: (line: string) => void,
): Promise<Seat & { close(): void }> {
  let current: HandoffId | null = null
  const onEvent = (event: DeskEvent): void => {
    if (event.type === 'waiting' || event.type === 'accepted') current = event.handoff.handoffId
    if (event.type === 'ended' && event.handoffId === current) current = null
    const line = lineOf(event)
    if (line !== null) tell(line)
  }
  const close = await desk.watch(accountId, onEvent)
  const handoff = (): HandoffId => {
    if (current === null) throw new Error('No visitor is waiting.')
    return current
  }
  return {
    close,
    async take() {
      await desk.accept(accountId, handoff(), agent)
    },
    typing: async () => desk.typing(accountId, handoff(), 'started'),
    async say(text) {
      await desk.send(accountId, handoff(), { text })
    },
    leave: async () => desk.leave(accountId, handoff()),
    reject: async reason => desk.reject(accountId, handoff(), reason === '' ? null : reason),
    async settled() {},
  }
}
