/** The form of a stream of events (WHATWG HTML, Server-sent events; ES2). */

/** The time after which a browser reconnects when a stream has ended, milliseconds. */
const RETRY = 2_000

/** JSON has line breaks only between its parts, where a space says the same. */
const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ')

/** Returns the beginning of a stream: the pause before reconnecting, and the name under which events are posted. */
export const streamOpening = (connectionId: string): string =>
  `retry: ${RETRY}\nevent: open\ndata: ${JSON.stringify({ stream: connectionId })}\n\n`

/** Returns a frame, as sockets send it, with the cursor that a browser brings back as `Last-Event-ID`. */
export const streamFrame = (frame: string, cursor: number): string =>
  `${cursor > 0 ? `id: ${cursor}\n` : ''}data: ${oneLine(frame)}\n\n`

/** Something to read where nothing else is said, so that no proxy takes the stream for dead. */
export const STREAM_PING = ': ping\n\n'

/** Returns the end of a stream: the close code and the reason, as on a socket. */
export const streamClose = (code: number, reason: string): string =>
  `event: close\ndata: ${JSON.stringify({ code, reason })}\n\n`
