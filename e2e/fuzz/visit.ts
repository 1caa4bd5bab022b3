import { within } from '@colloquy/test-support/program'
import { at, listAt } from '../../examples/quickstart/src/json.ts'
import type { World } from './child.ts'
import { eventText, type Step } from './frames.ts'
import { fragmented, frameBytes, OPCODES, openRawSocket, type RawSocket } from './raw-socket.ts'
import { openSession } from './visitors.ts'

/** An event of a session's log. */
interface LogEvent {
  readonly type: string
  readonly sequence: number | null
  readonly id: string
  readonly clientEventId: unknown
  readonly text: unknown
}

const text = (value: string): Buffer => frameBytes(OPCODES.text, Buffer.from(value))

/** Events of the frames, batches opened, each of the log once. */
function logOf(texts: readonly string[]): readonly LogEvent[] {
  const events = texts.flatMap(frame => {
    const json: unknown = JSON.parse(frame)
    return at(json, 'type') === 'EVENT_TYPE_EVENT_BATCH' ? listAt(json, 'payload.events') : [json]
  })
  return events.flatMap(event => {
    const sequence = at(event, 'sequence')
    // A chunk of a reply that goes on carries the sequence of an event before it, and is in no log.
    if (typeof sequence !== 'number' || at(event, 'payload.is_complete') === false) return []
    return [
      {
        type: String(at(event, 'type')).replace('EVENT_TYPE_', ''),
        sequence,
        id: String(at(event, 'id')),
        clientEventId: at(event, 'metadata.custom.client_event_id'),
        text: at(event, 'payload.text'),
      },
    ]
  })
}

/** Returns the first copy of each event. A client that asks twice is sent copies. */
const once = (events: readonly LogEvent[]): readonly LogEvent[] => {
  const bySequence = new Map<number | null, LogEvent>()
  for (const event of events) if (!bySequence.has(event.sequence)) bySequence.set(event.sequence, event)
  return [...bySequence.values()]
}

const ofType = (events: readonly LogEvent[], type: string): readonly LogEvent[] =>
  events.filter(event => event.type === type)

/** Events of a client. Their echo may come again if they were sent again. */
const ECHOED = ['USER_MESSAGE', 'REQUEST_AI_AGENT_JOIN', 'USER_END_SESSION']

/** Returns the faults in the frames of one socket: an event of the log that came twice, out of order, or not at all. */
function socketFaults(texts: readonly string[]): readonly string[] {
  const log = logOf(texts)
  const faults: string[] = []
  const seen = new Set<number | null>()
  for (const { type, sequence } of log) {
    if (seen.has(sequence) && !ECHOED.includes(type)) faults.push(`${type} ${sequence} came twice`)
    seen.add(sequence)
  }
  const sequences = once(log).map(({ sequence }) => sequence ?? 0)
  const first = sequences[0] ?? 1
  if (first !== 1) faults.push(`the replay began at ${first}`)
  if (sequences.some((sequence, index) => sequence !== first + index))
    faults.push(`a socket's log in the order ${sequences.join(' ')}`)
  return faults
}

/** A message that was sent whole, and so has to be taken. */
interface Expected {
  readonly id: string
  readonly text: string
  /** Index of the client's socket over which it was sent. */
  readonly socket: number
}

/** Returns the faults of a log that should contain these messages. */
function logFaults(log: readonly LogEvent[], expected: readonly Expected[]): readonly string[] {
  const faults: string[] = []
  const gap = log.findIndex(({ sequence }, index) => sequence !== index + 1)
  if (gap !== -1) faults.push(`a gap in the log after ${gap} of ${log.length} events`)
  const messages = ofType(log, 'USER_MESSAGE')
  const ids = messages.map(({ clientEventId }) => String(clientEventId))
  const wanted = expected.map(({ id }) => id)
  if (JSON.stringify([...ids].sort()) !== JSON.stringify([...wanted].sort()))
    faults.push(`messages ${ids.join(' ')} instead of ${wanted.join(' ')}`)
  for (const [index, { id, text: words, socket }] of expected.entries()) {
    const kept = messages.find(({ clientEventId }) => clientEventId === id)
    if (kept !== undefined && kept.text !== words) faults.push(`another text of message ${id}`)
    const before = expected[index - 1]
    // Two connections are not ordered: what the earlier one left behind may come after the later one's (MS16).
    if (before?.socket === socket && ids.indexOf(before.id) > ids.indexOf(id))
      faults.push(`message ${id} before ${before.id}, which the same socket sent first`)
  }
  const replies = ofType(log, 'AI_AGENT_MESSAGE').slice(1)
  const answers = ids.map(id => `Answer to ${id}.`)
  if (JSON.stringify(replies.map(reply => reply.text)) !== JSON.stringify(answers))
    faults.push(`replies ${JSON.stringify(replies.map(reply => reply.text))} to ${ids.join(' ')}`)
  return faults
}

/** Counts of a visit, and its faults. */
export interface VisitFigures {
  readonly messages: number
  readonly sockets: number
  readonly harmless: number
  readonly fatal: number
  readonly faults: readonly string[]
}

/**
 * One visitor whose client behaves as badly as the steps say; every message that it sent whole has to come to
 * something.
 */
class Visit {
  readonly #world: World
  readonly #path: string
  readonly #faults: string[] = []
  readonly #expected: Expected[] = []
  #socket: RawSocket
  #sockets = 1
  #beats = 0
  #last = 'the join'
  readonly #counts = { harmless: 0, fatal: 0 }

  constructor(world: World, path: string, socket: RawSocket) {
    this.#world = world
    this.#path = path
    this.#socket = socket
  }

  async join(): Promise<void> {
    this.#socket.write(text(eventText('REQUEST_AI_AGENT_JOIN', {})))
    await this.#until('the greeting', frames =>
      frames.some(frame => frame.includes('EVENT_TYPE_AI_AGENT_MESSAGE')),
    )
  }

  async take(step: Step): Promise<void> {
    switch (step.type) {
      case 'message':
        return this.#say(step)
      case 'harmless':
        this.#last = step.what
        this.#counts.harmless += 1
        this.#socket.write(step.bytes)
        return this.#barrier()
      case 'fatal':
        this.#counts.fatal += 1
        return this.#break(step)
      case 'cut':
        if (step.abruptly) await this.#barrier()
        this.#socket.write(step.bytes)
        if (step.abruptly) this.#socket.destroy()
        else this.#socket.end()
        await this.#socket.closed
        return this.#reopen()
    }
  }

  /** Reads the log again, once everything is answered, and ends the session. */
  async finish(): Promise<VisitFigures> {
    await this.#barrier()
    this.#socket.end()
    await this.#socket.closed
    await this.#reopen()
    const answered = (frames: readonly string[]): boolean =>
      ofType(once(logOf(frames)), 'AI_AGENT_MESSAGE').length > this.#expected.length
    await this.#until('all replies', answered)
    this.#faults.push(...logFaults(once(logOf(this.#socket.texts)), this.#expected))
    this.#faults.push(...socketFaults(this.#socket.texts))
    const shown = this.#socket.texts.join('\n')
    const leak = this.#world.other.private.find(one => shown.includes(one))
    if (leak !== undefined) this.#faults.push(`a leak of what is another account's: ${leak}`)
    this.#socket.write(text(eventText('USER_END_SESSION', {})))
    const code = await within(this.#socket.closed, 'the end')
    if (code !== 1000) this.#faults.push(`the end closed with ${code}`)
    return {
      messages: this.#expected.length,
      sockets: this.#sockets,
      ...this.#counts,
      faults: this.#faults,
    }
  }

  async #say({ text: words, times, parts }: Extract<Step, { type: 'message' }>): Promise<void> {
    const id = `m${this.#expected.length + 1}`
    const message = { id, text: `${id} ${words}`, socket: this.#sockets }
    this.#last = `${times} × ${JSON.stringify(message.text.slice(0, 50))} in ${parts}`
    this.#expected.push(message)
    const json = Buffer.from(eventText('USER_MESSAGE', { text: message.text }, { client_event_id: id }))
    const bytes = parts === 1 ? frameBytes(OPCODES.text, json) : fragmented(json, parts)
    for (let time = 0; time < times; time++) this.#socket.write(bytes)
    if (times > 2) await this.#barrier()
  }

  /** Resolves when all that was sent before has been handled: frames take effect in order (MS16). */
  async #barrier(): Promise<void> {
    const beat = `beat ${++this.#beats}`
    this.#socket.write(text(eventText('HEARTBEAT', { beat })))
    await this.#until(`the answer to ${this.#last}`, frames =>
      frames.some(frame => frame.includes(`"${beat}"`)),
    )
  }

  async #break({ what, bytes, codes }: Extract<Step, { type: 'fatal' }>): Promise<void> {
    this.#socket.write(bytes)
    const code = await within(this.#socket.closed, `the close after ${what}`)
    const asStated = code === null ? codes.length === 0 : codes.includes(code)
    if (!asStated) this.#faults.push(`${what} closed with ${code}, not ${codes.join(' or ')}`)
    await this.#reopen()
  }

  async #reopen(): Promise<void> {
    this.#faults.push(...socketFaults(this.#socket.texts))
    this.#socket = await openRawSocket(this.#world.port, this.#path)
    this.#sockets += 1
    await this.#until('the replay', frames => frames.length > 0)
  }

  async #until(what: string, done: (frames: readonly string[]) => boolean): Promise<void> {
    const waiting = this.#socket.until(() => done(this.#socket.texts))
    const came = await within(waiting, what).catch(error => {
      const newest = this.#socket.texts.slice(-5).map(frame => frame.slice(0, 300))
      throw new Error(`${String(error)}; the newest frames: ${newest.join(' ')}`)
    })
    if (!came) throw new Error(`closed with ${await this.#socket.closed} before ${what}`)
  }
}

/** Has a visitor take the steps. */
export async function visit(world: World, steps: readonly Step[]): Promise<VisitFigures> {
  const { url } = await openSession(world, world.own)
  const path = url.replace(/^ws:\/\/[^/]+/, '')
  const visitor = new Visit(world, path, await openRawSocket(world.port, path))
  await visitor.join()
  for (const step of steps) await visitor.take(step)
  return visitor.finish()
}
