import type { Duplex } from 'node:stream'

/**
 * Holds what is written to a socket for a few turns of the event loop, so that it gets one system call for all of it. A
 * message's echo is written when its commit is done; a reply that is there at once waits for the next commit, for which
 * a store may gather the writes of two turns. Then both leave together.
 */
export interface Cork {
  hold(socket: Duplex): void
}

/** After how many turns a socket's writes leave if no more come: a commit that began with them is done by then. */
const TURNS = 3

export function createCork(): Cork {
  /** Held since this turn of the event loop, since the one before, and so on. */
  const held = Array.from({ length: TURNS }, () => new Set<Duplex>())
  /** Got more in a later turn than the first: these leave once all that was waiting for the same commit has written. */
  const complete = new Set<Duplex>()
  let turns = false

  function release(sockets: Set<Duplex>): void {
    for (const socket of sockets) socket.uncork()
    sockets.clear()
  }

  function turn(): void {
    const leaving = held.pop() ?? new Set()
    release(leaving)
    held.unshift(leaving)
    turns = held.some(({ size }) => size > 0)
    if (turns) setImmediate(turn)
  }

  return {
    hold(socket) {
      if (held[0]?.has(socket) || complete.has(socket)) return
      if (held.some(earlier => earlier.delete(socket))) {
        // After the promises of the commit, all of which come first.
        if (complete.size === 0) process.nextTick(release, complete)
        complete.add(socket)
        return
      }
      if (!turns) setImmediate(turn)
      turns = true
      held[0]?.add(socket)
      socket.cork()
    },
  }
}
