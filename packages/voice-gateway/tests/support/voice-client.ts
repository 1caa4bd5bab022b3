import { createSignal } from '@colloquy/test-support/signal'
import { WebSocket } from 'ws'
import { DOWN_BYTES, DOWN_RATE, UP_BYTES, UP_RATE } from '../../src/audio/pcm.ts'
import type { ServerFrame } from '../../src/domain/frames.ts'
import { silenceOf, textOfTones, tonesOf } from '../../src/testing/index.ts'

/** A piece in the client's player. */
interface Played {
  readonly id: string
  readonly messageId: string
  readonly text: string
  readonly fromMs: number
  sound: Uint8Array
  ended: boolean
  playedMs: number
}

const joined = (one: Uint8Array, other: Uint8Array): Uint8Array => {
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}

/**
 * A client of PROTOCOL.md, with a microphone that is given sound and a player that plays when it is told to. It keeps what
 * it has sent until the server has understood it, and comes back after a loss.
 */
export function createVoiceClient(given: string) {
  let url = given
  const signal = createSignal()
  const frames: ServerFrame[] = []
  /** All sound that was really played, in order. */
  let heard: Uint8Array = new Uint8Array()
  const pieces: Played[] = []
  /** The parts of pieces that were played, milliseconds. */
  const parts: { readonly id: string; readonly text: string; readonly from: number; readonly to: number }[] =
    []
  let socket: WebSocket | null = null
  let closed: { readonly code: number; readonly reason: string } | null = null
  let call: string | null = null
  let mark: { readonly id: string; readonly played_ms: number; readonly done?: boolean } | null = null
  /** What the microphone has given since the newest words. */
  let kept: Uint8Array = new Uint8Array()
  let keptFrom = 0
  let isLive = false
  let playsAll = true

  const send = (frame: object): void => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame))
  }

  function take(frame: ServerFrame): void {
    frames.push(frame)
    const last = pieces.at(-1)
    if (frame.type === 'voice.started') {
      call = frame.call
      kept = kept.slice(Math.max(0, (frame.from_ms - keptFrom) * UP_BYTES))
      keptFrom = Math.max(keptFrom, frame.from_ms)
      isLive = true
      if (kept.length > 0) sendSound(kept)
    } else if (frame.type === 'transcript' && frame.final && !frame.client_id.includes('dtmf')) {
      kept = kept.slice(Math.max(0, (frame.until_ms - keptFrom) * UP_BYTES))
      keptFrom = frame.until_ms
    } else if (frame.type === 'audio.begin')
      pieces.push({
        ...{ id: frame.id, messageId: frame.message_id, text: frame.text, fromMs: frame.from_ms },
        ...{ sound: new Uint8Array(), ended: false, playedMs: frame.from_ms },
      })
    else if (frame.type === 'audio.end' && last?.id === frame.id) {
      last.ended = true
      if (playsAll) play(Number.POSITIVE_INFINITY)
    } else if (frame.type === 'clear') {
      pieces.length = 0
      send({ type: 'mark', ...(mark ?? { id: '', played_ms: 0 }), cleared: true })
    }
    signal.changed()
  }

  function sendSound(sound: Uint8Array): void {
    for (let at = 0; at < sound.length; at += 20 * UP_BYTES)
      if (socket?.readyState === WebSocket.OPEN) socket.send(sound.slice(at, at + 20 * UP_BYTES))
  }

  function play(ms: number): void {
    let left = ms
    for (const piece of pieces) {
      const had = piece.playedMs - piece.fromMs
      const more = Math.min(left, piece.sound.length / DOWN_BYTES - had)
      heard = joined(heard, piece.sound.slice(had * DOWN_BYTES, (had + more) * DOWN_BYTES))
      if (more > 0)
        parts.push({ id: piece.id, text: piece.text, from: piece.playedMs, to: piece.playedMs + more })
      piece.playedMs += more
      left -= more
      const done = piece.ended && piece.playedMs - piece.fromMs >= piece.sound.length / DOWN_BYTES
      mark = { id: piece.id, played_ms: piece.playedMs, ...(done ? { done } : {}) }
      if (more > 0 || done) send({ type: 'mark', ...mark })
      if (!done) break
    }
    const isPlayed = ({ ended, fromMs, playedMs, sound }: Played): boolean =>
      ended && playedMs - fromMs >= sound.length / DOWN_BYTES
    while (pieces[0] !== undefined && isPlayed(pieces[0])) pieces.shift()
  }

  const client = {
    frames,
    get call() {
      return call
    },
    get closed() {
      return closed
    },
    pieces,
    parts,
    send,
    /** Sends bytes as they are. */
    raw: (data: string | Uint8Array) => socket?.send(data),
    /** Plays nothing until it is told to. */
    holdPlayer() {
      playsAll = false
    },
    play,
    /** What the visitor has heard, as text. */
    heardText: () => textOfTones(heard, DOWN_RATE),
    /** Resolves when it holds. Checked after every frame. */
    until: (holds: () => boolean) => signal.until(holds),
    /** Opens the socket. Resolves to null, or to the status of a refusal. */
    connect(): Promise<number | null> {
      const opening = new WebSocket(url)
      socket = opening
      closed = null
      isLive = false
      pieces.length = 0
      return new Promise((resolve, reject) => {
        opening.on('open', () => resolve(null))
        opening.on('unexpected-response', (_, response) => {
          resolve(response.statusCode ?? 0)
          opening.terminate()
        })
        opening.on('error', error => (opening.readyState === WebSocket.OPEN ? undefined : reject(error)))
        opening.on('message', (data, isBinary) => {
          if (socket !== opening) return
          const bytes = Buffer.isBuffer(data) ? data : Buffer.alloc(0)
          const last = pieces.at(-1)
          if (!isBinary) take(JSON.parse(bytes.toString()))
          else if (last !== undefined) last.sound = joined(last.sound, bytes)
          signal.changed()
        })
        opening.on('close', (code, reason) => {
          if (socket === opening) closed = { code, reason: reason.toString() }
          signal.changed()
        })
      })
    },
    /** Begins the call, or goes on with it. */
    async start(more: object = {}): Promise<void> {
      send({
        type: 'voice.start',
        rate: UP_RATE,
        ...(call === null ? {} : { call, ...(mark === null ? {} : { heard: mark }) }),
        ...more,
      })
      await signal.until(() => isLive || closed !== null)
    },
    /** Other connections go to another server. */
    moveTo(port: number) {
      url = url.replace(/:\d+\//, `:${port}/`)
    },
    /** Loses the socket without a word. */
    kill() {
      socket?.terminate()
      socket = null
    },
    /** Gives sound to the microphone. It is kept, and sent if there is a socket. */
    sound(bytes: Uint8Array) {
      kept = joined(kept, bytes)
      if (isLive) sendSound(bytes)
    },
    /** Says something, and falls silent. */
    say(text: string) {
      client.sound(tonesOf(text, UP_RATE))
      client.sound(silenceOf(600, UP_RATE))
    },
    transcripts: () =>
      frames.flatMap(frame => (frame.type === 'transcript' && frame.final ? [frame.text] : [])),
    errors: () => frames.flatMap(frame => (frame.type === 'error' ? [frame.code] : [])),
  }
  return client
}
