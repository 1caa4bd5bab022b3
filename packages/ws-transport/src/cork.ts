import type { Duplex } from 'node:stream'

/**
 * Holds what is written to a socket for a turn of the event loop, so that each gets one system call for all of it. A
 * message's echo is written when its commit is done, and a reply that is there at once waits for the commit after
 * that, in the next turn: both leave together.
 */
export interface Cork {
  hold(socket: Duplex): void
}

export function createCork(): Cork {
  /** Held since this turn of the event loop. */
  let young = new Set<Duplex>()
  /** Held since the turn before: the next commit may still add to them, then they leave. */
  let old = new Set<Duplex>()

  function turn(): void {
    const leaving = old
    for (const socket of leaving) socket.uncork()
    leaving.clear()
    old = young
    young = leaving
    if (old.size > 0) setImmediate(turn)
  }

  return {
    hold(socket) {
      if (young.has(socket) || old.has(socket)) return
      if (young.size + old.size === 0) setImmediate(turn)
      young.add(socket)
      socket.cork()
    },
  }
}
