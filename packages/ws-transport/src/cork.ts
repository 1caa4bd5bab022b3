import type { Duplex } from 'node:stream'

/**
 * Corks a socket, so that everything written to it at once gets one system call. It is flushed when everyone who waited
 * for the same commit has written. If more is expected soon it waits for that, a few turns of the event loop at most. A
 * message's echo is written when its commit is done. An immediate reply comes with the next commit, for which a store
 * may gather the writes of several turns.
 */
export interface Cork {
  /** Called before each write. @param soon more is to come */
  hold(line: Line, soon: boolean): void
}

/** A socket that is written to. */
export class Line {
  readonly socket: Duplex
  /** The group that it is held with. Null if its writes leave at the end of this tick; undefined if it is not held. */
  held: Waiting | null | undefined = undefined

  constructor(socket: Duplex) {
    this.socket = socket
  }
}

/**
 * After how many turns a socket's writes leave if no more come: a store commits what it has gathered within some
 * milliseconds, or, where a turn takes that long itself, within six.
 */
const TURNS = { least: 6, most: 8, milliseconds: 5 }

/** Lines that wait for more since the same turn of the event loop; those that are held otherwise wait no more. */
interface Waiting {
  readonly lines: Line[]
  readonly since: number
  turns: number
  /** Number of its lines that still wait. */
  left: number
}

const isOver = ({ turns, since, left }: Waiting, now: number): boolean =>
  left === 0 || turns >= TURNS.most || (turns >= TURNS.least && now - since >= TURNS.milliseconds)

/** @param now a monotonic clock, milliseconds */
export function createCork(now: () => number = () => performance.now()): Cork {
  /** Oldest first. */
  const waiting: Waiting[] = []
  let leaving: Line[] = []

  function release(lines: readonly Line[], since: Waiting | null): void {
    for (const line of lines) {
      if (line.held !== since) continue
      line.held = undefined
      line.socket.uncork()
    }
  }

  function releaseLeaving(): void {
    const lines = leaving
    leaving = []
    release(lines, null)
  }

  function turn(): void {
    for (const one of waiting) one.turns++
    const at = now()
    while (waiting[0] !== undefined && isOver(waiting[0], at)) {
      release(waiting[0].lines, waiting[0])
      waiting.shift()
    }
    if (waiting.length > 0) setImmediate(turn)
  }

  /** Returns the corks that began to wait in this turn. */
  function newest(): Waiting {
    const last = waiting.at(-1)
    if (last?.turns === 0) return last
    const next = { lines: [], since: now(), turns: 0, left: 0 }
    if (waiting.length === 0) setImmediate(turn)
    waiting.push(next)
    return next
  }

  return {
    hold(line, soon) {
      const since = line.held
      if (since === undefined) line.socket.cork()
      if (soon) {
        if (since) return
        const next = newest()
        next.lines.push(line)
        next.left++
        line.held = next
      } else if (since !== null) {
        // After the promises of a commit, all of which come first.
        if (leaving.length === 0) process.nextTick(releaseLeaving)
        leaving.push(line)
        line.held = null
        if (since) since.left--
      }
    },
  }
}
