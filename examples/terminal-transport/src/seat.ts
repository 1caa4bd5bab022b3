/**
 * A live agent's place, at the built-in desk or in another system. What is not possible now rejects with a reason to
 * show.
 */
export interface Seat {
  /** Takes the visitor who waits. */
  take(): Promise<void>
  typing(): Promise<void>
  say(text: string): Promise<void>
  leave(): Promise<void>
  /** Sends the visitor who waits back. */
  reject(reason: string): Promise<void>
  /** Resolves when no action is in progress any more. */
  settled(): Promise<void>
}

/** Carries out what was typed behind `/desk`. Resolves with what to show; null for nothing. */
export async function useSeat(seat: Seat, words: string): Promise<string | null> {
  const [, name = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(words) ?? []
  const actions: Readonly<Record<string, () => Promise<void>>> = {
    take: () => seat.take(),
    typing: () => seat.typing(),
    say: () => seat.say(rest),
    leave: () => seat.leave(),
    reject: () => seat.reject(rest),
  }
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (action === undefined) return `! A live agent can ${Object.keys(actions).join(', ')}, not "${name}".`
  try {
    await action()
    return null
  } catch (error) {
    return `! ${error instanceof Error ? error.message : String(error)}`
  }
}
