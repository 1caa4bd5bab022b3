import type { Json } from '@colloquy/core'
import type { EventNames, EventType } from '@colloquy/core/transport'
import { beginning, eventsOfFrame, isDone, type Progress, step } from './conversation.ts'
import { type AgUiEvent, eventText } from './events.ts'
import type { Run } from './run-input.ts'
import type { Entered, PageSession } from './threads.ts'

/** Bytes that may wait for a page that does not read. */
const MOST_WAITING = 1_048_576
const PING_INTERVAL = 15_000
const SECONDS = 1_000

/** Limits of a run. */
export interface RunSettings {
  readonly runTimeout: number
  readonly liveWait: number
  readonly signal: AbortSignal
  /** The names of events with the host's brand. */
  readonly names: EventNames
  onError(error: unknown): void
}

const isRecord = (value: unknown): value is Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the page's state with what brings it back into its session. */
const snapshot = ({ state }: Run, page: PageSession): AgUiEvent => ({
  type: 'STATE_SNAPSHOT',
  snapshot: { ...(isRecord(state) ? state : {}), colloquy: { ...page } },
})

type Controller = ReadableStreamDefaultController<Uint8Array>

const UTF8 = new TextEncoder()

const finished = ({ runId, threadId }: Run): AgUiEvent => ({ type: 'RUN_FINISHED', threadId, runId })

const failed = (code: string, message: string): AgUiEvent => ({ type: 'RUN_ERROR', code, message })

/** One run, over one connection to the session, told to one page. */
class Answering {
  readonly #run: Run
  readonly #page: PageSession
  readonly #settings: RunSettings
  readonly #controller: Controller
  readonly #connection: ReturnType<Entered['handshake']['open']>
  readonly #timers: readonly ReturnType<typeof setTimeout>[]
  #progress: Progress
  #over = false
  #settling = false
  #asked: 'nothing' | 'join' | 'said' = 'nothing'
  #read = (): void => undefined

  constructor(run: Run, { handshake, page }: Entered, settings: RunSettings, controller: Controller) {
    this.#run = run
    this.#page = page
    this.#settings = settings
    this.#controller = controller
    this.#progress = beginning(run.known, page.told)
    this.#timers = this.#startTimers()
    this.#connection = handshake.open({
      // Deferred, so that frames that are sent before `open` has returned find the connection.
      send: frame => queueMicrotask(() => this.#take(frame)),
      close: (_code, reason) =>
        queueMicrotask(() =>
          this.#finish(
            this.#progress.ended ? finished(run) : failed('CLOSED', `The conversation: ${reason}.`),
          ),
        ),
      drained: () => this.#drained(),
    })
    settings.signal.addEventListener('abort', this.gone, { once: true })
    if (settings.signal.aborted) this.gone()
    const { runId, threadId } = run
    this.#tell({ type: 'RUN_STARTED', threadId, runId }, snapshot(run, page))
    this.#connection.receive(JSON.stringify({ type: settings.names.wire('HEARTBEAT'), payload: {} }))
  }

  #startTimers(): readonly ReturnType<typeof setTimeout>[] {
    const { liveWait, runTimeout } = this.#settings
    const { said } = this.#run
    const deadline = setTimeout(
      () => this.#finish(failed('TIMEOUT', `The run took longer than ${runTimeout / SECONDS} s.`)),
      runTimeout,
    )
    // Nothing is due where a person serves: the page asks again.
    const patience = setTimeout(
      () => {
        if (said === null || this.#progress.echoed) this.#finish(finished(this.#run))
      },
      said === null ? liveWait : runTimeout,
    )
    return [deadline, patience, setInterval(() => this.#write(': ping\n\n'), PING_INTERVAL)]
  }

  /** The page has read all of its events. */
  read(): void {
    this.#read()
  }

  /** The page, or the host, has gone. */
  readonly gone = (): void => {
    if (!this.#over) this.#leave()
  }

  #write(text: string): void {
    if (!this.#over) this.#controller.enqueue(UTF8.encode(text))
  }

  #tell(...events: readonly AgUiEvent[]): void {
    this.#write(events.map(eventText).join(''))
  }

  async #drained(): Promise<void> {
    while (!this.#over && (this.#controller.desiredSize ?? 0) <= 0)
      await new Promise<void>(resolve => {
        this.#read = resolve
      })
  }

  #finish(last: AgUiEvent): void {
    if (this.#over) return
    const { caughtUp, read, telling } = this.#progress
    if (telling !== null) this.#tell({ type: 'TEXT_MESSAGE_END', messageId: telling })
    this.#tell(snapshot(this.#run, { ...this.#page, told: caughtUp ? read : this.#page.told }), last)
    this.#leave()
    this.#controller.close()
  }

  #leave(): void {
    this.#over = true
    for (const timer of this.#timers) clearTimeout(timer)
    this.#settings.signal.removeEventListener('abort', this.gone)
    this.#read()
    this.#connection.closed()
  }

  #send(type: EventType, payload: object, id: string): void {
    const metadata = { custom: { client_event_id: id } }
    this.#connection.receive(JSON.stringify({ type: this.#settings.names.wire(type), payload, metadata }))
  }

  /** Sends the next message. The agent greets before the visitor's message is sent. */
  #proceed(): void {
    const { answered, caughtUp, owner } = this.#progress
    const { runId, said } = this.#run
    if (!caughtUp || this.#over) return
    if (this.#asked === 'nothing' && owner === 'no one') {
      this.#asked = 'join'
      this.#progress = { ...this.#progress, answered: false }
      this.#send('REQUEST_AI_AGENT_JOIN', {}, `join ${runId}`)
    } else if (said !== null && this.#asked !== 'said' && (this.#asked === 'nothing' || answered)) {
      this.#asked = 'said'
      this.#send('USER_MESSAGE', { text: said.text }, said.id)
    }
    if (this.#settling || !isDone(this.#progress, said !== null)) return
    this.#settling = true
    // Events of the reply, such as a handoff, follow it at once.
    setTimeout(() => {
      const { failure } = this.#progress
      this.#finish(failure === null ? finished(this.#run) : failed('FAILED', failure))
    }, 0)
  }

  #take(frame: string): void {
    if (this.#over) return
    const { names, onError } = this.#settings
    try {
      for (const event of eventsOfFrame(frame, names)) {
        const [next, events] = step(this.#progress, event, this.#run.said?.id ?? null)
        this.#progress = next
        this.#tell(...events)
      }
      if ((this.#controller.desiredSize ?? 0) < -MOST_WAITING)
        this.#finish(failed('TOO_SLOW', 'The page does not read.'))
      else this.#proceed()
    } catch (error) {
      onError(error)
      this.#finish(failed('INTERNAL', 'Something went wrong.'))
    }
  }
}

/** Returns the stream of one run, over one connection to the session (UI1 to UI2). */
export function answerRun(run: Run, entered: Entered, settings: RunSettings): Response {
  let answering: Answering | null = null
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        answering = new Answering(run, entered, settings, controller)
      },
      pull: () => answering?.read(),
      cancel: () => answering?.gone(),
    },
    { highWaterMark: MOST_WAITING, size: chunk => chunk?.byteLength ?? 0 },
  )
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  })
}
