import type { ConversationEvent, TransientEvent } from '../../domain/conversation/event.ts'
import { chunkPosition } from '../../protocol/expand-chunks.ts'
import type { FeedReader } from '../room/feed.ts'
import { endsReply } from '../room/outdated.ts'
import type { VisitorConnection } from './visitor-connection.ts'

/** The chunks of a reply in progress, from index 1 and without a gap. */
export interface ChunksSoFar {
  readonly messageId: string
  readonly chunks: readonly TransientEvent[]
}

/**
 * Follows a session for a connection whose replay is not finished, so that new events are put into its batch (MS6,
 * MS29). Once the batch is sent, it queues later events in order, until the connection follows the session directly.
 */
export class Gathering implements FeedReader {
  /** Counts what may make a snapshot outdated; chunks do not. */
  changes = 0
  readonly #connection: VisitorConnection
  #events: ConversationEvent[] = []
  /** The chunks of each reply by index, in the order in which the replies began. */
  #chunks = new Map<string, Map<number, TransientEvent>>()
  /** The calls to pass on after the batch. Null before it is sent. */
  #later: (() => void)[] | null = null
  #answered = false

  /** Newest event of the log that is in the batch. */
  #newest: number

  /** @param newest the newest event of the log that the batch has already */
  constructor(connection: VisitorConnection, newest: number) {
    this.#connection = connection
    this.#newest = newest
  }

  /** True once another process has said what it knows of a reply in progress. */
  get answered(): boolean {
    return this.#answered
  }

  event(event: ConversationEvent): void {
    if (this.#later !== null) {
      this.#later.push(() => this.#connection.event(event))
      return
    }
    if (event.sequence <= this.#newest) return
    this.#newest = event.sequence
    this.changes++
    this.#events.push(event)
    if (endsReply(event)) this.#chunks.clear()
  }

  ephemeral(event: TransientEvent): void {
    const isAnswer = event.to === this.#connection.id
    // An answer without chunks says that the agent is thinking, which the store has said already.
    const isChunk = event.type === 'AI_AGENT_MESSAGE_CHUNK'
    if (isAnswer && (isChunk || event.type === 'AI_AGENT_THINKING')) this.#hasAnswer()
    if (isAnswer && event.type === 'AI_AGENT_THINKING') return
    if (this.#later !== null) this.#later.push(() => this.#connection.ephemeral(event))
    else if (isChunk) this.add(event)
    else this.changes++
  }

  again(to: string, event: ConversationEvent): void {
    this.#later?.push(() => this.#connection.again(to, event))
  }

  gap(): void {
    this.changes++
  }

  failed(): void {
    this.#connection.failed()
  }

  /** Adds a chunk of a reply in progress, unless it is for another connection. */
  add(event: TransientEvent): void {
    const position = chunkPosition(event)
    if (position === null || (event.to !== null && event.to !== this.#connection.id)) return
    const reply = this.#chunks.get(position.messageId) ?? new Map<number, TransientEvent>()
    this.#chunks.set(position.messageId, reply.set(position.index, event))
  }

  /** Ends the gathering for the batch: its events, and the chunks that follow them. */
  take(): { readonly events: readonly ConversationEvent[]; readonly replies: readonly ChunksSoFar[] } {
    const later: (() => void)[] = []
    const replies = [...this.#chunks].map(([messageId, chunks]) => {
      const sofar: TransientEvent[] = []
      for (let next = chunks.get(1); next !== undefined; next = chunks.get(sofar.length + 1)) sofar.push(next)
      for (const [index, event] of chunks)
        if (index > sofar.length) later.push(() => this.#connection.ephemeral(event))
      return { messageId, chunks: sofar }
    })
    const events = this.#events
    this.#later = later
    this.#events = []
    this.#chunks = new Map()
    return { events, replies: replies.filter(({ chunks }) => chunks.length > 0) }
  }

  /** Passes on what came after the batch. */
  passOn(): void {
    for (const pass of this.#later ?? []) pass()
    this.#later = []
  }

  #hasAnswer(): void {
    if (this.#answered) return
    this.#answered = true
    // Deferred, because the other chunks of the answer arrive one by one in this turn.
    if (this.#later === null) queueMicrotask(() => this.#connection.wake())
  }
}
