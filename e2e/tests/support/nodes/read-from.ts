import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { readFrame, type WireEvent } from '@colloquy/test-support/journal'
import type { Random } from '@colloquy/test-support/random'
import { WebSocket } from 'ws'
import { PATIENCE } from '../../../../scripts/patience.ts'
import type { Actor } from '../storm/roles.ts'
import { withoutChunk } from '../storm/verdict.ts'
import type { NodesStorm } from './nodes-storm.ts'

/** Sessions that are read at a time, each by one reader after the other. */
const AT_ONCE = 20

/** Before a node is asked again, milliseconds. */
const PAUSE = 500

/** Sessions that are read from each of their cursors; the others are read from two. */
const IN_FULL = 3

/** What a reader gets after a cursor, up to the event of that number. */
function readFrom(address: string, last: number): Promise<readonly WireEvent[]> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address)
    const events: WireEvent[] = []
    const late = setTimeout(() => end(() => reject(new Error(`${events.length} events in time`))), PATIENCE)
    const end = (then: () => void): void => {
      clearTimeout(late)
      socket.terminate()
      then()
    }
    socket.on('error', error => end(() => reject(error)))
    socket.on('message', data => {
      for (const event of readFrame(String(data)).events)
        if (event.sequence !== null && event.payload.is_complete !== false) events.push(event)
      if (events.at(-1)?.sequence === last) end(() => resolve(events))
    })
  })
}

/**
 * The same; a node that has just been cut off may say for a while that its database does not answer (503), and one that is
 * busy still counts the readers before this one (429).
 */
async function readWhenReady(address: string, last: number): Promise<readonly WireEvent[]> {
  for (const end = performance.now() + PATIENCE; ; await pause(PAUSE))
    try {
      return await readFrom(address, last)
    } catch (error) {
      if (!/\b(429|503)\b/.test(String(error)) || performance.now() > end) throw error
    }
}

/** Where the transcript of a node differs from what the visitors have, from many cursors; empty when all is well. */
export async function compareCursors(
  { nodes, crowd }: NodesStorm,
  random: Random,
): Promise<readonly string[]> {
  const open = crowd.actors.filter(({ visitor }) => !visitor.over)
  const jobs = open.map((actor, index) => {
    const { length } = actor.visitor.journal.events
    const cursors =
      index < IN_FULL ? Array.from({ length }, (_, cursor) => cursor) : [0, random.below(length)]
    return nodes.nodes.flatMap(({ name, url }) => cursors.map(cursor => ({ actor, cursor, name, url })))
  })
  const complaints: string[] = []
  // Those that are read in full take longest, and stand first.
  const take = async (): Promise<void> => {
    for (let session = jobs.shift(); session !== undefined; session = jobs.shift())
      for (const reading of session) {
        const complaint = await compare(reading, crowd.accessToken)
        if (complaint !== null) complaints.push(complaint)
      }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, take))
  return complaints
}

async function compare(
  {
    actor,
    cursor,
    name,
    url,
  }: { readonly actor: Actor; readonly cursor: number; readonly name: string; readonly url: string },
  accessToken: string,
): Promise<string | null> {
  const { sessionId, journal } = actor.visitor
  const where = `${sessionId} from ${cursor} on node ${name}`
  const address = `${url.replace('http', 'ws')}/ws?session_id=${sessionId}&access_token=${accessToken}&cursor=${cursor}`
  try {
    const events = await readWhenReady(address, journal.events.length)
    const wanted = journal.events.slice(cursor).map(withoutChunk)
    return isDeepStrictEqual(events.map(withoutChunk), wanted) ? null : `${where}: another transcript`
  } catch (error) {
    return `${where}: ${error}`
  }
}
