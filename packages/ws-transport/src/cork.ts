import type { Duplex } from 'node:stream'

/**
 * Holds what is written to a socket, so that it gets one system call for all of it. What is written at once leaves when
 * all that waited for the same commit has written. Where more is to come soon it waits for that, a few turns of the
 * event loop at most: a message's echo is written when its commit is done, and a reply that is there at once with the
 * next commit, for which a store may gather the writes of two turns.
 */
export interface Cork {
  /** Called before each write. @param soon more is to come */
  hold(socket: Duplex, soon: boolean): void
}

/** After how many turns a socket's writes leave if no more come: a commit that began with them is done by then. */
const TURNS = 3

export function createCork(): Cork {
  /** What waits for more since this turn of the event loop, since the one before, and so on. */
  const waiting = Array.from({ length: TURNS }, () => new Set<Duplex>())
  const leaving = new Set<Duplex>()
  /** A next turn is asked for. */
  let turning = false

  function release(sockets: Set<Duplex>): void {
    for (const socket of sockets) socket.uncork()
    sockets.clear()
  }

  function turn(): void {
    const oldest = waiting.pop() ?? new Set()
    release(oldest)
    waiting.unshift(oldest)
    turning = waiting.some(({ size }) => size > 0)
    if (turning) setImmediate(turn)
  }

  function wait(socket: Duplex): void {
    leaving.delete(socket)
    waiting[0]?.add(socket)
    if (!turning) setImmediate(turn)
    turning = true
  }

  function leave(socket: Duplex): void {
    for (const sockets of waiting) sockets.delete(socket)
    // After the promises of a commit, all of which come first.
    if (leaving.size === 0) process.nextTick(release, leaving)
    leaving.add(socket)
  }

  return {
    hold(socket, soon) {
      const waits = waiting.some(sockets => sockets.has(socket))
      if (!waits && !leaving.has(socket)) socket.cork()
      if (!soon) leave(socket)
      else if (!waits) wait(socket)
    },
  }
}
