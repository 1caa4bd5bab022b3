import { createSignal } from '@colloquy/test-support/signal'
import { Decoder, Encoder } from '@evan/opus/wasm/index.mjs'
import {
  MediaStreamTrack,
  RTCPeerConnection,
  RTCRtpCodecParameters,
  RtcpSrPacket,
  RtpHeader,
  RtpPacket,
} from 'werift'
import { WebSocket } from 'ws'
import { bytesOf, levelOf, samplesOf } from '../../../src/audio/pcm.ts'
import type { ServerSignal } from '../../../src/webrtc/signal.ts'

const RATE = 48_000
const FRAME = 960
const FRAME_MS = (FRAME / RATE) * 1_000

/** A packet that the client was sent. */
interface Received {
  readonly sequence: number
  readonly timestamp: number
  readonly isFirst: boolean
  /** How loud it is, 0 for silence. */
  readonly level: number
  readonly pcm: Uint8Array
  readonly at: number
}

/** Options of a client. */
export interface RtcClientOptions {
  readonly url: string
  readonly token: string
  readonly headers?: Readonly<Record<string, string>>
  /** The codec that the client offers. @default audio/opus */
  readonly mimeType?: string
}

/** A voice of that many milliseconds, or silence: stereo at 48,000 Hz. */
export const voiceOf = (ms: number, level: number): Uint8Array =>
  bytesOf(
    Int16Array.from({ length: (ms * RATE * 2) / 1_000 }, (_, at) =>
      Math.round(Math.sin((2 * Math.PI * 220 * Math.floor(at / 2)) / RATE) * level * Math.SQRT2),
    ),
  )

/**
 * A client of PROTOCOL.md, WebRTC, that takes the steps of the Android kit: it offers with an empty session id, reads
 * the answer, exchanges candidates, speaks in Opus of 48,000 Hz and stereo, and closes.
 */
export function createRtcClient({ headers = {}, mimeType = 'audio/opus', token, url }: RtcClientOptions) {
  const signal = createSignal()
  const frames: ServerSignal[] = []
  const received: Received[] = []
  let closed: { readonly code: number; readonly reason: string } | null = null
  let socket: WebSocket | null = null
  let sessionId = ''
  let state = 'new'
  let sequence = 0
  let timestamp = 0
  let isDeaf = false
  const encoder = new Encoder({ channels: 2, sample_rate: RATE, application: 'voip' })
  const decoder = new Decoder({ channels: 1, sample_rate: 24_000 })
  const connection = new RTCPeerConnection({
    codecs: {
      audio: [
        new RTCRtpCodecParameters({
          ...{ mimeType, clockRate: mimeType === 'audio/opus' ? RATE : 8_000 },
          ...(mimeType === 'audio/opus' ? { channels: 2 } : { channels: 1, payloadType: 0 }),
        }),
      ],
      video: [],
    },
    ...{ iceServers: [], iceUseTcp: false, iceUseIpv6: false },
    ...{ iceInterfaceAddresses: { udp4: '127.0.0.1' }, iceAdditionalHostAddresses: ['127.0.0.1'] },
  })
  const microphone = new MediaStreamTrack({ kind: 'audio' })
  connection.addTransceiver(microphone, { direction: 'sendrecv' })
  connection.connectionStateChange.subscribe(next => {
    state = next
    signal.changed()
  })
  /** What the server says to have sent. */
  const reports: RtcpSrPacket['senderInfo'][] = []
  connection.onTrack.subscribe(track => {
    track.onReceiveRtcp.subscribe(packet => {
      if (packet instanceof RtcpSrPacket) reports.push(packet.senderInfo)
      signal.changed()
    })
    track.onReceiveRtp.subscribe(({ header, payload }) => {
      const pcm = decoder.decode(payload)
      received.push({
        ...{ sequence: header.sequenceNumber, timestamp: header.timestamp, isFirst: header.marker },
        ...{ level: levelOf(samplesOf(pcm)), pcm, at: performance.now() },
      })
      signal.changed()
    })
  })
  connection.onIceCandidate.subscribe(candidate => {
    if (candidate === undefined) return
    const { sdpMid = '0', sdpMLineIndex = 0 } = candidate
    send({ type: 'ice-candidate', data: { candidate: candidate.candidate, sdpMid, sdpMLineIndex } })
  })

  function send(frame: object): void {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ sessionId, ...frame }))
  }

  async function take(frame: ServerSignal): Promise<void> {
    frames.push(frame)
    if (frame.type === 'answer') {
      sessionId = frame.sessionId
      await connection.setRemoteDescription(frame.data)
    } else if (frame.type === 'ice-candidate') await connection.addIceCandidate(frame.data)
    signal.changed()
  }

  const client = {
    ...{ frames, received, reports, connection },
    send,
    get closed() {
      return closed
    },
    get state() {
      return state
    },
    get sessionId() {
      return sessionId
    },
    until: (holds: () => boolean) => signal.until(holds),
    /** Opens the socket. Resolves to null, or to the status of a refusal. */
    connect(): Promise<number | null> {
      const opening = new WebSocket(url, { headers, autoPong: !isDeaf })
      socket = opening
      return new Promise((resolve, reject) => {
        opening.on('open', () => resolve(null))
        opening.on('unexpected-response', (_, response) => {
          resolve(response.statusCode ?? 0)
          opening.terminate()
        })
        opening.on('error', error => (opening.readyState === WebSocket.OPEN ? undefined : reject(error)))
        opening.on('message', data => void take(JSON.parse(String(data))))
        opening.on('close', (code, reason) => {
          closed = { code, reason: reason.toString() }
          signal.changed()
        })
      })
    },
    raw: (text: string) => socket?.send(text),
    /** The client's offer. */
    async offer(): Promise<string> {
      await connection.setLocalDescription(await connection.createOffer())
      return connection.localDescription?.sdp ?? ''
    },
    /** Offers, and resolves once the audio is connected or the offer was refused. */
    async call(more: object = {}): Promise<void> {
      const sdp = await client.offer()
      send({ type: 'offer', authToken: token, data: { type: 'offer', sdp }, ...more })
      await signal.until(
        () => state === 'connected' || closed !== null || frames.some(({ type }) => type === 'error'),
      )
    },
    /** Sends a packet as it is. */
    packet(payload: Uint8Array, at: { readonly sequence: number; readonly timestamp: number }, type = 96) {
      const header = new RtpHeader({
        ...{ payloadType: type, sequenceNumber: at.sequence % 2 ** 16, timestamp: at.timestamp, ssrc: 7 },
      })
      microphone.writeRtp(new RtpPacket(header, Buffer.from(payload)))
    },
    /** Speaks: as fast as it can, since positions are in the packets. Some packets may be lost on the way. */
    sound(pcm: Uint8Array, isLost: (packet: number) => boolean = () => false) {
      for (let at = 0; at + FRAME * 4 <= pcm.length; at += FRAME * 4) {
        const payload = encoder.encode(pcm.subarray(at, at + FRAME * 4))
        if (!isLost(sequence)) client.packet(payload, { sequence, timestamp })
        sequence++
        timestamp += FRAME
      }
    },
    say(ms: number) {
      client.sound(voiceOf(ms, 8_000))
      client.sound(voiceOf(700, 0))
    },
    /** The same at the pace of speech, as a recording takes it: no packet leaves before it was said. */
    async speak(ms: number) {
      const spoken = Buffer.concat([voiceOf(ms, 8_000), voiceOf(700, 0)])
      const begun = performance.now()
      for (let at = 0; at < spoken.length; at += FRAME * 4) {
        const due = begun + (at / (FRAME * 4) + 1) * FRAME_MS
        for (let now = performance.now(); now < due; now = performance.now())
          await new Promise(resolve => setTimeout(resolve, due - now))
        client.sound(spoken.subarray(at, at + FRAME * 4))
      }
    },
    /** Its next socket answers no pings. */
    deafen() {
      isDeaf = true
    },
    /** Loses the signalling socket without a word. */
    kill() {
      socket?.terminate()
    },
    errors: () => frames.flatMap(frame => (frame.type === 'error' ? [frame.data.code] : [])),
    /** Milliseconds of sound that were heard so far. */
    loudMs: () => received.filter(({ level }) => level > 1_000).length * 20,
    async end() {
      socket?.terminate()
      await connection.close()
      encoder.drop()
      decoder.drop()
    },
  }
  return client
}
