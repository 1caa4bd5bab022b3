import type { ConversationEvent, CustomMetadata, TransientEvent } from '../../domain/conversation/event.ts'
import type { EventPayloads, SystemMessageLevel } from '../../domain/conversation/event-payloads.ts'
import { conversationFacts } from '../../domain/conversation/platform-event.ts'
import type { SpokenTurn } from '../../domain/conversation/spoken.ts'
import { isGenuine } from '../../domain/conversation/state.ts'
import type { ClientEvent } from '../../protocol/client-frame.ts'
import { CLOSE_CODES, CLOSE_TEXTS, type CloseReason } from '../../protocol/close-codes.ts'
import { eventText } from '../../protocol/envelope.ts'
import { type ChunkPosition, chunkPosition, expandChunks } from '../../protocol/expand-chunks.ts'
import { PROTOCOL_LIMITS } from '../../protocol/limits.ts'
import { FRAME_ERROR_TEXTS } from '../../protocol/system-messages.ts'
import { callHost } from '../../shared/call-host.ts'
import type { Passer } from '../../shared/gate.ts'
import { type CallRecorder, callRecorder } from '../records/call-recorder.ts'
import { PATIENCE, whileBusyFor } from '../shared/while-busy.ts'
import { ChunkOrder, type ChunkReceiver } from './chunk-order.ts'
import type { CallConnection, CallProgress, ConnectionPort } from './connection-port.ts'
import type { OpenSession } from './open-session.ts'
import type { ConnectionSlot } from './open-sessions.ts'
import { readFrame, SLOWED, type Task } from './read-frame.ts'
import { type ReplayedFrom, replay } from './replay.ts'
import { sendFrame } from './send-frame.ts'
import { mayBeSentAgain, takeEvent } from './take-event.ts'
import type { VisitorConnection } from './visitor-connection.ts'

/** Opens a visitor's connection: first its replay, then live events. */
export function openConnection(
  slot: ConnectionSlot,
  port: ConnectionPort,
  replayed: ReplayedFrom,
  isCall: boolean,
): CallConnection {
  slot.take()
  const visitor = new OpenConnection(slot, port, isCall)
  visitor.start(replayed)
  return visitor
}

/** Shortest time between two questions to other processes for one connection, milliseconds (MS29). */
const ASK_INTERVAL = 1000

/**
 * One visitor's connection. Everything is sent through `#send`, which does nothing once the socket is closed; received
 * frames wait in one queue, which outlives the socket. What the transport throws, or rejects with, is reported (EM1).
 */
class OpenConnection implements CallConnection, VisitorConnection, ChunkReceiver, Passer {
  readonly session: OpenSession
  readonly #slot: ConnectionSlot
  readonly #port: ConnectionPort
  readonly #isCall: boolean
  /** Frames that wait; null while none waits and none is taken, as on an idle connection. */
  #queue: Task[] | null = null
  #queuedLength = 0
  #open = true
  /** Frames were dropped since the queue was last empty. */
  #overflown = false
  /** The last frame was not read, because too many came before it. */
  #slowed = false
  /** The socket is closed because its client went on: nothing more of it is taken. */
  #flooded = false
  /** An event that may be sent again has failed. */
  #broken = false
  #left = false
  /** Newest event of the log that was sent. */
  #sent = 0
  /** Newest event of the log when the connection was made. */
  #since = 0
  /** Null before the first chunk: most connections never see one. */
  #chunks: ChunkOrder | null = null
  #id: string | null = null
  #askedAt: number | null = null
  /** Ends a pause; null while there is none. */
  #wake: (() => void) | null = null
  /** Wakes the replay that is paused. */
  #paused: (() => void) | null = null
  #starting: Promise<void> | null = null
  #working: Promise<void> | null = null

  constructor(slot: ConnectionSlot, port: ConnectionPort, isCall: boolean) {
    this.#slot = slot
    this.#port = port
    this.#isCall = isCall
    this.session = slot.session
  }

  get id(): string {
    this.#id ??= this.session.parts.context.ids.uuid()
    return this.#id
  }

  get open(): boolean {
    return this.#open
  }

  get sent(): number {
    return this.#sent
  }

  start(replayed: ReplayedFrom): void {
    this.session.attach(this)
    this.session.parts.sockets.opened()
    this.#starting = replay(this, replayed)
      .catch(error => {
        this.session.parts.context.settings.onError(error, 'messaging replay')
        this.failed()
      })
      .then(() => {
        this.#starting = null
      })
  }

  receive(frame: string): boolean {
    if (this.#left || this.#flooded) return true
    const metered = this.#slot.count(frame)
    if (metered === 'flooding') return this.#flood()
    if (metered === 'refused' && this.#slowed) return true
    this.#slowed = metered === 'refused'
    const waiting = this.#queue?.length ?? 0
    const full = waiting >= PROTOCOL_LIMITS.queuedFrames || this.#queuedLength > PROTOCOL_LIMITS.queuedLength
    if (full) {
      // Dropped without an answer of its own. Transports that pause hardly get here.
      this.#overflown = true
      return false
    }
    const task = this.#slowed ? SLOWED : readFrame(this.#slot, frame, this.#isCall)
    this.#queuedLength += task.length
    if (this.#queue !== null) this.#queue.push(task)
    else {
      this.#queue = [task]
      this.session.parts.context.gate.enter(this)
    }
    return waiting + 1 < PROTOCOL_LIMITS.pauseFrames
  }

  #flood(): true {
    this.#flooded = true
    this.close('flooding')
    return true
  }

  /** Takes the next frame. */
  pass(): void {
    this.#working = this.#work()
  }

  closed(): void {
    if (this.#left) return
    this.#left = true
    this.#open = false
    this.wake()
    this.session.feed.leave(this)
    this.session.detach(this)
    this.session.parts.sockets.closed()
    this.#slot.leave()
    const release = (): void => this.#slot.release()
    this.settled().then(release, release)
  }

  async settled(): Promise<void> {
    while (this.#starting !== null || this.#queue !== null || this.session.feed.busy) {
      if (this.#starting !== null && (await this.#isPaused(this.#starting))) return
      if (this.#working === null && this.#queue !== null) await this.#passed()
      await this.#working
      await this.session.feed.quiet()
    }
  }

  /** Resolves once the replay is sent, or waits for others: then it is true. */
  async #isPaused(starting: Promise<void>): Promise<boolean> {
    const paused = new Promise<void>(resolve => {
      this.#paused = resolve
    })
    if (this.#wake === null) await Promise.race([starting, paused])
    return this.#starting !== null && this.#wake !== null
  }

  /** Resolves once the frame that waits at the gate has passed, so that later frames pass after it. */
  #passed(): Promise<void> {
    return new Promise(pass => this.session.parts.context.gate.enter({ pass }))
  }

  refresh(): void {
    if (this.#open) this.session.feed.refresh()
  }

  measured(turn: SpokenTurn): void {
    const { context, engine } = this.session.parts
    const { observers, settings } = context
    engine
      .load(this.session.id)
      .then(state => {
        if (state === null || !isGenuine(state.kind)) return
        observers.tell({ type: 'turn.spoken', event: { ...conversationFacts(state), ...turn } })
      })
      .catch(error => settings.onError(error, 'messaging spoken turn'))
  }

  async progressed(progress: CallProgress): Promise<void> {
    const { context, engine } = this.session.parts
    const command = { type: 'call_progress' as const, ...progress }
    try {
      await whileBusyFor(context.clock, PATIENCE, () => engine.execute(this.session.id, command))
    } catch (error) {
      context.settings.onError(error, 'messaging call progress')
    }
  }

  get recorder(): CallRecorder | null {
    const { context, engine } = this.session.parts
    const { id } = this.session
    return callRecorder(context, id, async () => (await engine.load(id))?.accountId ?? null)
  }

  send(text: string, cursor: number): void {
    this.#send(text, cursor)
  }

  async drained(): Promise<void> {
    if (!this.#open) return
    try {
      await this.#port.drained()
    } catch (error) {
      this.session.parts.portFailed(error)
    }
  }

  reached(sequence: number): void {
    this.#sent = sequence
    this.#since = sequence
  }

  hadChunks(messageId: string, count: number): void {
    this.#chunks ??= new ChunkOrder(this)
    this.#chunks.had(messageId, count)
  }

  async pause(milliseconds: number): Promise<void> {
    if (!this.#open) return
    await new Promise<void>(resolve => {
      this.after(milliseconds, resolve)
      this.#paused?.()
    })
  }

  after(milliseconds: number, act: () => void): void {
    const cancel = this.session.parts.context.clock.schedule(milliseconds, () => this.wake())
    this.#wake = () => {
      cancel()
      act()
    }
  }

  wake(): void {
    const wake = this.#wake
    this.#wake = null
    wake?.()
  }

  event(event: ConversationEvent): void {
    if (event.sequence <= this.#sent) return
    const position = chunkPosition(event)
    if (position !== null) this.#sendMissingChunks(event, position.messageId)
    this.#send(this.session.liveText(event), event.sequence)
    this.#sent = event.sequence
    if (event.type !== 'SESSION_END') return
    this.session.presence.stop()
    this.close('ended')
  }

  ephemeral(event: TransientEvent): void {
    if (!this.#isFor(event)) {
      if (event.type === 'USER_PRESENCE') this.session.presenceHeard(event)
      return
    }
    const position = chunkPosition(event)
    if (position === null)
      this.#send(this.session.ephemeralText(event), this.#sent, event.type === 'AI_AGENT_THINKING')
    else if (this.#takeChunk(position, event)) this.ask()
  }

  chunk(position: ChunkPosition, event: TransientEvent): void {
    this.#send(this.session.chunkText(position, event, this.#sent))
  }

  again(to: string, event: ConversationEvent): void {
    if (to === this.id) this.resend(event)
  }

  gap(): void {
    if (this.#chunks?.unfinished === true) this.ask()
  }

  ask(): void {
    const { context, ephemeral } = this.session.parts
    const now = context.clock.monotonic()
    if (this.#askedAt !== null && now - this.#askedAt < ASK_INTERVAL) return
    this.#askedAt = now
    ephemeral.ask(this.session.id, this.id)
  }

  revoke(): void {
    this.close('session_unknown')
  }

  failed(): void {
    this.close('internal')
  }

  close(reason: CloseReason): void {
    if (!this.#open) return
    this.#open = false
    this.wake()
    this.session.feed.leave(this)
    callHost(() => this.#port.close(CLOSE_CODES[reason], CLOSE_TEXTS[reason]), this.session.parts.portFailed)
  }

  resend(event: ConversationEvent): void {
    this.#send(this.session.liveText(event))
  }

  heartbeat(event: Extract<ClientEvent, { type: 'HEARTBEAT' }>): void {
    this.#send(this.session.ephemeralText({ ...event, to: this.id }))
  }

  systemMessage(level: SystemMessageLevel, message: string, custom: CustomMetadata | null): void {
    const payload: EventPayloads['SYSTEM_MESSAGE'] = { level, message }
    this.#send(this.session.ephemeralText({ type: 'SYSTEM_MESSAGE', payload, custom, to: this.id }))
  }

  async #work(): Promise<void> {
    // An answer to a frame must not overtake the replay. Awaited even without a replay: the caller must register the
    // work before it is done.
    await this.#starting
    const task = this.#queue?.shift()
    if (task !== undefined) {
      this.#queuedLength -= task.length
      if (!('event' in task)) this.systemMessage(task.level, task.refusal.error, task.refusal.custom)
      else if (!this.#passesOver(task.event) && !(await takeEvent(this, task.event)))
        this.#giveUpAfter(task.event)
    }
    this.#working = null
    if (this.#queue !== null && this.#queue.length > 0) {
      this.session.parts.context.gate.enter(this)
      return
    }
    this.#queue = null
    if (!this.#overflown) return
    this.#overflown = false
    this.systemMessage('SYSTEM_MESSAGE_LEVEL_ERROR', FRAME_ERROR_TEXTS.overload, null)
  }

  /**
   * Stops taking events that may be sent again after one has failed. Its sender may never hear of the failure. So that
   * nothing overtakes it, the sender comes back over another connection (MS44).
   */
  #giveUpAfter(event: ClientEvent): void {
    if (!mayBeSentAgain(event)) return
    this.#broken = true
    this.close('internal')
  }

  #passesOver(event: ClientEvent): boolean {
    return this.#broken && mayBeSentAgain(event)
  }

  #takeChunk(position: ChunkPosition, event: TransientEvent): boolean {
    this.#chunks ??= new ChunkOrder(this)
    return this.#chunks.take(position, event)
  }

  /**
   * Reports whether an event is for this connection. The result of a message is for its sender, who may have
   * reconnected meanwhile (CM12).
   */
  #isFor({ to, orSince }: TransientEvent): boolean {
    return to === null || to === this.id || (orSince !== undefined && this.#since >= orSince)
  }

  /** Sends the missing chunks of a reply that is complete in the log. Some may not have reached this process. */
  #sendMissingChunks(event: ConversationEvent, messageId: string): void {
    const sent = this.#chunks?.finish(messageId) ?? 0
    for (const chunk of expandChunks(event, sent))
      if (chunk.sequence !== event.sequence) this.#send(eventText(chunk, this.session.parts.names))
  }

  #send(text: string, cursor = this.#sent, soon = false): void {
    if (this.#open) sendFrame(this.#port, text, { cursor, soon }, this.session.parts.portFailed)
  }
}
