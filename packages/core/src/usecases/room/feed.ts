import {
  type ConversationEvent,
  type EventJson,
  eventOf,
  type TransientEvent,
} from '../../domain/conversation/event.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ConversationNotice, RepeatedEvent } from '../../ports/notices.ts'
import type { EventPage } from '../../ports/store/conversations.ts'
import type { Store } from '../../ports/store/store.ts'
import type { Settings } from '../../settings/settings.ts'
import { PATIENCE, whileBusyFor } from '../shared/while-busy.ts'
import { Outdated } from './outdated.ts'

/** Follows a conversation. Its methods never throw. */
export interface FeedReader {
  /** Receives the next event of the log. An event may come more than once: the reader skips those that it has had. */
  event(event: ConversationEvent): void
  /** Receives an ephemeral event, which is not in the log. Events for other readers come too (see `to`). */
  ephemeral(event: TransientEvent): void
  /** Receives an event of the log that is sent once more to one connection. The log was delivered up to it. */
  again(to: string, event: ConversationEvent): void
  /** Notices of other processes may have been lost; the log is being read. */
  gap(): void
  /** Called when the log cannot be read. The error was reported to the host. */
  failed(): void
}

/** The dependencies of a feed's reads. */
export interface FeedParts {
  readonly clock: Clock
  readonly settings: Settings
  readonly store: Pick<Store, 'conversations'>
}

/** A read of the log: where it began, the notice that caused it, and how many gaps there had been. */
interface LogRead {
  readonly from: number
  readonly cause: ConversationNotice | undefined
  readonly gaps: number
}

/**
 * The one follower of a conversation in this process: one reader of the log for all watchers.
 * Readers get every event in order and without a gap, even if notices are lost (MS15): a notice says how far the log
 * has grown, and its events are used only if they directly follow the last delivered one.
 */
export class Feed {
  readonly id: ConversationId
  /** Counts notices, so that a reader can tell whether one came while it asked for something. */
  notices = 0
  readonly #context: FeedParts
  /** Replaced, never changed: most feeds have one, for which a list is a third of a set. */
  #readers: readonly FeedReader[] = []
  /** Notices that wait for the log or for their turn; null for none, which is what most feeds have. */
  #waiting: ConversationNotice[] | null = null
  readonly #outdated: Outdated
  /** Newest event that all readers have had; without readers, the newest known event. */
  #position: number
  #reading: Promise<void> | null = null
  #delivering = false
  #checkedAt: number
  #closed = false
  #broken = false
  /** The number of times that notices may have been lost, and the number of those after which the log was read. */
  #gaps = 0
  #gapsRead = 0

  constructor(context: FeedParts, state: ConversationState) {
    this.#context = context
    this.id = state.id
    this.#position = state.sequence
    this.#outdated = new Outdated(state)
    this.#checkedAt = context.clock.monotonic()
  }

  get position(): number {
    return this.#position
  }

  /** Closes the feed when the last watcher has left. */
  close(): void {
    this.#closed = true
  }

  /**
   * Adds a reader that has had everything up to `sequence`. If the feed is ahead, the log is read again from there:
   * readers skip what they have had.
   */
  join(reader: FeedReader, sequence: number): void {
    const heard = Math.max(this.#position, sequence)
    this.#position = this.#readers.length === 0 ? sequence : Math.min(this.#position, sequence)
    if (!this.#readers.includes(reader)) this.#readers = [...this.#readers, reader]
    if (heard > this.#position) this.grown(heard)
  }

  leave(reader: FeedReader): void {
    this.#readers = this.#readers.filter(other => other !== reader)
  }

  /** Applies a notice, or a reader's own update. */
  hear(notice: ConversationNotice): void {
    if (this.#closed) return
    this.notices++
    if (this.#waiting === null) this.#waiting = [notice]
    else this.#waiting.push(notice)
    if (this.#reading === null) this.#pump()
  }

  /** Notes that the log is known to hold an event of that sequence. */
  grown(sequence: number): void {
    this.hear({ sequence, events: [], transients: [] })
  }

  /** Reads the rest of the log. Resolves once it is delivered; false when the log cannot be read. */
  async readOn(): Promise<boolean> {
    await this.quiet()
    if (this.#closed) return true
    this.#broken = false
    this.#read()
    await this.quiet()
    return !this.#broken
  }

  /** Reads the log periodically, in case a notice was lost. */
  refresh(): void {
    const { clock, settings } = this.#context
    if (this.#reading === null && clock.monotonic() - this.#checkedAt >= settings.heartbeatSeconds * 500)
      this.#read()
  }

  /** Resolves when every notice so far has been handled. */
  async quiet(): Promise<void> {
    while (this.#reading !== null) await this.#reading
  }

  /** True while a notice waits for the log. */
  get busy(): boolean {
    return this.#reading !== null
  }

  /** Returns a page of the log after a sequence. */
  page(after: number, count = this.#limits.eventsPerBatch): Promise<EventPage> {
    const bounds = { count, bytes: this.#limits.replayPageBytes }
    return this.#context.store.conversations.eventPage(this.id, after, bounds)
  }

  /** Events that a reader has read itself. */
  saw(events: readonly EventJson[]): void {
    for (const event of events) this.#outdated.note(event)
  }

  /** Reports whether newer events of the log outdate an ephemeral event of that sequence. */
  outdates(event: TransientEvent, sequence: number): boolean {
    return this.#outdated.has(event, sequence)
  }

  get #limits(): Settings['limits'] {
    return this.#context.settings.limits
  }

  notice(notice: ConversationNotice): void {
    this.hear(notice)
  }

  gap(): void {
    if (this.#closed) return
    for (const reader of this.#readers) reader.gap()
    this.#gaps++
    if (this.#reading === null) this.#read()
  }

  #pump(): void {
    // A reader may publish while it receives: that is delivered afterwards.
    if (this.#delivering) return
    this.#delivering = true
    try {
      for (let notice = this.#waiting?.[0]; notice !== undefined; notice = this.#waiting?.[0]) {
        this.#deliver(notice.events)
        if (this.#readers.length === 0) this.#position = Math.max(this.#position, notice.sequence)
        if (notice.sequence > this.#position) {
          this.#read()
          return
        }
        this.#waiting?.shift()
        this.#tell(notice)
        if (this.#reading !== null) return
      }
      this.#waiting = null
    } finally {
      this.#delivering = false
    }
  }

  /**
   * Reads the rest of the log, then continues with the notices. The notice that caused the read is delivered in any
   * case.
   */
  #read(): void {
    this.#checkedAt = this.#context.clock.monotonic()
    const cause = this.#waiting?.[0]
    const from = this.#position
    const gaps = this.#gaps
    this.#reading = whileBusyFor(
      this.#context.clock,
      PATIENCE,
      () => this.page(from),
      () => this.#closed,
    )
      .then(
        page => this.#went(page, { from, cause, gaps }),
        error => this.#broke(error),
      )
      // An error of a reader ends neither the process nor the feed.
      .catch(error => this.#context.settings.onError(error, 'conversation log'))
  }

  #went({ events, more }: EventPage, { from, cause, gaps }: LogRead): void {
    this.#reading = null
    if (this.#closed) return
    // A reader that joined meanwhile may have moved the position back: read the log again from there.
    const complete = this.#position >= from
    this.#deliver(events.map(eventOf))
    if (!more) this.#gapsRead = gaps
    // A gap that came while the log was read takes another look.
    if (more || gaps < this.#gaps) {
      this.#read()
      return
    }
    if (complete && cause !== undefined && this.#waiting?.[0] === cause && cause.sequence > this.#position) {
      this.#waiting.shift()
      this.#tell(cause)
    }
    if (this.#reading === null) this.#pump()
  }

  #broke(error: unknown): void {
    this.#reading = null
    this.#broken = true
    this.#context.settings.onError(error, 'conversation log')
    // A failed periodic read loses nothing; what a notice announced, or a gap may have swallowed, must not be skipped.
    const missing = this.#waiting !== null || this.#gapsRead < this.#gaps
    this.#waiting = null
    this.#gapsRead = this.#gaps
    if (missing) for (const reader of this.#readers) reader.failed()
  }

  #deliver(events: readonly ConversationEvent[]): void {
    for (const event of events) {
      if (event.sequence !== this.#position + 1) {
        if (event.sequence > this.#position) return
        continue
      }
      this.#position = event.sequence
      this.#outdated.note(event)
      for (const reader of this.#readers) if (this.#watches(reader)) reader.event(event)
    }
  }

  #tell(notice: ConversationNotice): void {
    const { sequence, transients, again } = notice
    if (again?.event !== undefined) {
      for (const reader of this.#readers) if (this.#watches(reader)) reader.again(again.to, again.event)
    } else if (again !== undefined) {
      this.#readRepeated(notice, again)
      return
    }
    for (const event of transients) {
      if (this.#outdated.has(event, sequence)) continue
      for (const reader of this.#readers) if (this.#watches(reader)) reader.ephemeral(event)
    }
  }

  /**
   * Reads the event that is sent again, because another process's notice only names it. Notices that come meanwhile
   * wait, so that all keep their order.
   */
  #readRepeated(notice: ConversationNotice, { to, sequence }: RepeatedEvent): void {
    const { onError } = this.#context.settings
    const { again: _, ...rest } = notice
    this.#reading = this.page(sequence - 1, 1)
      .then(({ events: [found] }) =>
        found?.sequence === sequence ? { ...rest, again: { to, sequence, event: eventOf(found) } } : rest,
      )
      .catch(error => {
        onError(error, 'conversation log')
        return rest
      })
      .then(complete => {
        this.#reading = null
        if (this.#closed) return
        this.#waiting = [complete, ...(this.#waiting ?? [])]
        if (this.#gapsRead < this.#gaps) this.#read()
        else this.#pump()
      })
      .catch(error => onError(error, 'conversation log'))
  }

  /** Reports whether a reader still watches. It may have left while others were notified. */
  #watches(reader: FeedReader): boolean {
    return this.#readers.includes(reader)
  }
}
