import type { Duplex } from 'node:stream'

/**
 * Holds what is written to sockets for a turn of the event loop, so that each gets one system call for all of it. A
 * message's echo is written when its commit is done, and a reply that is there at once waits for the commit after
 * that, in the next turn: both leave together.
 */
export interface Cork {
  hold(socket: Duplex): void
}

export function createCork(): Cork {
  const held = new Set<Duplex>()
  const letGo = (): void => {
    for (const socket of held) socket.uncork()
    held.clear()
  }
  return {
    hold(socket) {
      if (held.has(socket)) return
      // The first of the two comes before the next commit, the second one after it.
      if (held.size === 0) setImmediate(() => setImmediate(letGo))
      held.add(socket)
      socket.cork()
    },
  }
}
