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

/** What bounds a run. */
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

/** The page's state with what brings it back into its session. */
const snapshot = ({ state }: Run, page: PageSession): AgUiEvent => ({
  type: 'STATE_SNAPSHOT',
  snapshot: { ...(isRecord(state) ? state : {}), colloquy: { ...page } },
})

/** The stream of one run, over one connection to the session (UI1 to UI4). */
export function answerRun(run: Run, { handshake, page }: Entered, settings: RunSettings): Response {
  const { names } = settings
  const { said, threadId, runId } = run
  const utf8 = new TextEncoder()
  let stop = (): void => undefined
  let read = (): void => undefined

  function start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    let progress: Progress = beginning(run.known, page.told)
    let over = false
    let settling = false
    let asked: 'nothing' | 'join' | 'said' = 'nothing'
    const write = (text: string): void => {
      if (!over) controller.enqueue(utf8.encode(text))
    }
    const tell = (...events: readonly AgUiEvent[]): void => write(events.map(eventText).join(''))

    function finish(last: AgUiEvent): void {
      if (over) return
      if (progress.telling !== null) tell({ type: 'TEXT_MESSAGE_END', messageId: progress.telling })
      tell(snapshot(run, { ...page, told: progress.caughtUp ? progress.read : page.told }), last)
      leave()
      controller.close()
    }
    function leave(): void {
      over = true
      clearTimeout(deadline)
      clearTimeout(patience)
      clearInterval(ping)
      settings.signal.removeEventListener('abort', gone)
      read()
      connection.closed()
    }
    function gone(): void {
      if (!over) leave()
    }
    const finished = (): AgUiEvent => ({ type: 'RUN_FINISHED', threadId, runId })
    const failed = (code: string, message: string): AgUiEvent => ({ type: 'RUN_ERROR', code, message })
    const send = (type: EventType, payload: object, id: string): unknown =>
      connection.receive(
        JSON.stringify({ type: names.wire(type), payload, metadata: { custom: { client_event_id: id } } }),
      )

    /** What is to be said next; the agent greets before it is told what the visitor says. */
    function proceed(): void {
      if (!progress.caughtUp || over) return
      if (asked === 'nothing' && progress.owner === 'no one') {
        asked = 'join'
        progress = { ...progress, answered: false }
        send('REQUEST_AI_AGENT_JOIN', {}, `join ${runId}`)
      } else if (said !== null && asked !== 'said' && (asked === 'nothing' || progress.answered)) {
        asked = 'said'
        send('USER_MESSAGE', { text: said.text }, said.id)
      }
      if (settling || !isDone(progress, said !== null)) return
      settling = true
      // What happened with the reply, such as a handoff, comes right behind it.
      setTimeout(() => finish(progress.failure === null ? finished() : failed('FAILED', progress.failure)), 0)
    }

    function take(frame: string): void {
      if (over) return
      try {
        for (const event of eventsOfFrame(frame, names)) {
          const [next, events] = step(progress, event, said?.id ?? null)
          progress = next
          tell(...events)
        }
        if ((controller.desiredSize ?? 0) < -MOST_WAITING)
          finish(failed('TOO_SLOW', 'The page does not read.'))
        else proceed()
      } catch (error) {
        settings.onError(error)
        finish(failed('INTERNAL', 'Something went wrong.'))
      }
    }

    const deadline = setTimeout(
      () => finish(failed('TIMEOUT', `The run took longer than ${settings.runTimeout / SECONDS} s.`)),
      settings.runTimeout,
    )
    // Nothing is due where a person serves: the page asks again.
    const patience = setTimeout(
      () => {
        if (said === null || progress.echoed) finish(finished())
      },
      said === null ? settings.liveWait : settings.runTimeout,
    )
    const ping = setInterval(() => write(': ping\n\n'), PING_INTERVAL)

    const connection = handshake.open({
      // Later, so that what is sent before `open` has returned finds the connection.
      send: frame => queueMicrotask(() => take(frame)),
      close: (_code, reason) =>
        queueMicrotask(() =>
          finish(progress.ended ? finished() : failed('CLOSED', `The conversation: ${reason}.`)),
        ),
      async drained() {
        while (!over && (controller.desiredSize ?? 0) <= 0)
          await new Promise<void>(resolve => {
            read = resolve
          })
      },
    })
    stop = gone
    settings.signal.addEventListener('abort', gone, { once: true })
    if (settings.signal.aborted) gone()
    tell({ type: 'RUN_STARTED', threadId, runId }, snapshot(run, page))
    connection.receive(JSON.stringify({ type: names.wire('HEARTBEAT'), payload: {} }))
  }

  const body = new ReadableStream<Uint8Array>(
    { start, pull: () => read(), cancel: () => stop() },
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
