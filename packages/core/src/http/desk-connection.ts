import { utf8Bytes } from '../domain/utf8-bytes.ts'
import { CLOSE_CODES, CLOSE_TEXTS } from '../protocol/close-codes.ts'
import type { Metered } from '../usecases/access/frame-meter.ts'
import type { DeskEvent, DeskListener } from '../usecases/desk/desk-event.ts'
import type { Connection, ConnectionPort } from '../usecases/messaging/connection-port.ts'
import { deskEventOnWire } from './desk-wire.ts'

/** The service of a live agent's client. */
export interface DeskWatch {
  watch(listener: DeskListener): Promise<() => void>
  /** The bytes that may wait for a slow client beside what it is sent first. */
  readonly maxBufferedBytes: number
  readonly onError: (error: unknown, where: string) => void
  /** Counts a frame of the client, before anything else is done with it. */
  count(frame: string): Metered
}

/**
 * Sends a live agent's client the events of the desk. The waiting and active handoffs are sent as fast as it reads.
 * Later events are buffered up to a limit, then the socket closes with 1013 (DK8). Frames of the client are ignored;
 * too many of them close it with 1008 (MS92).
 */
export function openDeskConnection(
  port: ConnectionPort,
  desk: DeskWatch,
): Omit<Connection, 'id' | 'refresh'> {
  const outbox: { readonly text: string; readonly counted: number }[] = []
  let waitingBytes = 0
  let live = false
  let gone = false
  let stop: (() => void) | null = null
  let sending = false

  function leave(): void {
    gone = true
    outbox.length = 0
    stop?.()
    stop = null
  }

  async function send(): Promise<void> {
    if (sending) return
    sending = true
    for (let frame = outbox.shift(); frame !== undefined; frame = outbox.shift()) {
      waitingBytes -= frame.counted
      port.send(frame.text, 0, false)
      await port.drained()
    }
    sending = false
  }

  function tell(event: DeskEvent): void {
    if (gone) return
    if (waitingBytes > desk.maxBufferedBytes) {
      leave()
      port.close(CLOSE_CODES.too_slow, CLOSE_TEXTS.too_slow)
      return
    }
    const text = JSON.stringify(deskEventOnWire(event))
    const counted = live ? utf8Bytes(text) : 0
    waitingBytes += counted
    outbox.push({ text, counted })
    void send()
  }

  desk.watch(tell).then(
    unwatch => {
      live = true
      if (gone) unwatch()
      else stop = unwatch
    },
    error => {
      desk.onError(error, 'desk socket')
      leave()
      port.close(CLOSE_CODES.internal, CLOSE_TEXTS.internal)
    },
  )

  function receive(frame: string): true {
    if (gone || desk.count(frame) !== 'flooding') return true
    leave()
    port.close(CLOSE_CODES.flooding, CLOSE_TEXTS.flooding)
    return true
  }

  return { receive, closed: leave, settled: async () => {} }
}
