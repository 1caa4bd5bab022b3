import type { Duplex } from 'node:stream'

/**
 * Holds what is written to a socket, so that it gets one system call for all of it. What is written at once leaves when
 * all that waited for the same commit has written. Where more is to come soon it waits for that, a few turns of the
 * event loop at most: a message's echo is written when its commit is done, and a reply that is there at once with the
 * next commit, for which a store may gather the writes of several turns.
 */
export interface Cork {
  /** Called before each write. @param soon more is to come */
  hold(socket: Duplex, soon: boolean): void
}

/**
 * After how many turns a socket's writes leave if no more come: a store commits what it has gathered within some
 * milliseconds, or, where a turn takes that long itself, within three.
 */
const TURNS = { least: 3, most: 8, milliseconds: 5 }

/** Sockets that wait for more since the same turn of the event loop. */
interface Waiting {
  readonly sockets: Set<Duplex>
  readonly since: number
  turns: number
}

const isOver = ({ turns, since }: Waiting, now: number): boolean =>
  turns >= TURNS.most || (turns >= TURNS.least && now - since >= TURNS.milliseconds)

/** @param now a monotonic clock, milliseconds */
export function createCork(now: () => number = () => performance.now()): Cork {
  /** Since when each socket waits. */
  const waits = new Map<Duplex, Waiting>()
  /** The same, oldest first. */
  let waiting: Waiting[] = []
  const leaving = new Set<Duplex>()

  function release(sockets: Set<Duplex>): void {
    for (const socket of sockets) socket.uncork()
    sockets.clear()
  }

  function turn(): void {
    for (const one of waiting) one.turns++
    const at = now()
    for (const { sockets } of waiting.filter(one => isOver(one, at))) {
      for (const socket of sockets) waits.delete(socket)
      release(sockets)
    }
    waiting = waiting.filter(({ sockets }) => sockets.size > 0)
    if (waiting.length > 0) setImmediate(turn)
  }

  /** Those that began to wait in this turn. */
  function newest(): Waiting {
    const last = waiting.at(-1)
    if (last?.turns === 0) return last
    const next = { sockets: new Set<Duplex>(), since: now(), turns: 0 }
    if (waiting.length === 0) setImmediate(turn)
    waiting.push(next)
    return next
  }

  function wait(socket: Duplex): void {
    leaving.delete(socket)
    const since = newest()
    since.sockets.add(socket)
    waits.set(socket, since)
  }

  function leave(socket: Duplex): void {
    waits.get(socket)?.sockets.delete(socket)
    waits.delete(socket)
    // After the promises of a commit, all of which come first.
    if (leaving.size === 0) process.nextTick(release, leaving)
    leaving.add(socket)
  }

  return {
    hold(socket, soon) {
      const isWaiting = waits.has(socket)
      if (!isWaiting && !leaving.has(socket)) socket.cork()
      if (!soon) leave(socket)
      else if (!isWaiting) wait(socket)
    },
  }
}
