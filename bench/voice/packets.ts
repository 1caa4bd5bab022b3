import { Socket } from 'node:dgram'
import { RTP_RATE } from './rates.ts'

/** A packet is late if it leaves so long after it was due, milliseconds. */
const LATE_MS = 20

/** A stream of packets. Its clock is that of the packet that left soonest after it was due. */
interface Stream {
  startedAt: number
  packets: number
  late: number
}

/** Reads the stream and the time of a packet of audio: its header is not encrypted (RFC 3711, 3.1). */
function audioOf(bytes: unknown): { readonly ssrc: number; readonly atMs: number } | null {
  if (!Buffer.isBuffer(bytes) || bytes.length < 12 || bytes[0] !== 0x80) return null
  const type = bytes.readUInt8(1) & 0x7f
  // Reports have types of their own (RFC 5761, 4).
  return type < 96 ? null : { ssrc: bytes.readUInt32BE(8), atMs: (bytes.readUInt32BE(4) * 1_000) / RTP_RATE }
}

/** Watches the packets of audio that this process hands to its UDP sockets, from now on. */
export function watchPackets() {
  const streams = new Map<number, Stream>()

  function sent(bytes: unknown): void {
    const audio = audioOf(bytes)
    if (audio === null) return
    const now = performance.now()
    const { startedAt, packets, late } = streams.get(audio.ssrc) ?? {
      ...{ startedAt: Number.POSITIVE_INFINITY, packets: 0, late: 0 },
    }
    const isLate = now - audio.atMs - startedAt > LATE_MS
    streams.set(audio.ssrc, {
      startedAt: Math.min(startedAt, now - audio.atMs),
      packets: packets + 1,
      late: late + (isLate ? 1 : 0),
    })
  }

  Socket.prototype.send = new Proxy(Socket.prototype.send, {
    apply(send, socket, values) {
      sent(values[0])
      return Reflect.apply(send, socket, values)
    },
  })
  /** The share of each stream's packets that were late since the last time. */
  return (): readonly number[] => {
    const shares = [...streams.values()].map(({ late, packets }) => (packets === 0 ? 0 : late / packets))
    for (const stream of streams.values()) Object.assign(stream, { packets: 0, late: 0 })
    return shares
  }
}
