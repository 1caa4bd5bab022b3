import { ntpTime, type RTCRtpSender, RtcpSenderInfo, RtcpSrPacket, RtpHeader } from 'werift'
import { RTP_RATE } from './opus-packet.ts'

/** A packet to the client. */
export interface SentPacket {
  readonly sequence: number
  readonly timestamp: number
  /** The first one after a silence. */
  readonly isFirst: boolean
  readonly payload: Uint8Array
}

/** Time of the stream between two reports on it (RFC 3550, 6.4.1), samples. */
const REPORT_SAMPLES = RTP_RATE

/**
 * Sends packets over the connection of werift's sender, and reports on them. The sender itself would copy each packet
 * twice and keep the newest 128 of a call, 100 kB, for clients that ask for one again. Nobody offers that for audio.
 */
export function createPacketSender(sender: RTCRtpSender, payloadType: number) {
  const { ssrc, transport } = sender
  let packetCount = 0
  let octetCount = 0
  let reportedAt: number | null = null

  function report(rtpTimestamp: number): void {
    reportedAt = rtpTimestamp
    const senderInfo = new RtcpSenderInfo({ ntpTimestamp: ntpTime(), rtpTimestamp, packetCount, octetCount })
    // The next report says the same again.
    transport.sendRtcp([new RtcpSrPacket({ ssrc, senderInfo })]).catch(() => undefined)
  }

  return ({ isFirst, payload, sequence, timestamp }: SentPacket): void => {
    if (transport?.state !== 'connected') return
    const { buffer, byteLength, byteOffset } = payload
    const header = new RtpHeader({
      ...{ payloadType, sequenceNumber: sequence, timestamp, marker: isFirst, ssrc },
    })
    void transport.sendRtp(Buffer.from(buffer, byteOffset, byteLength), header)
    packetCount = (packetCount + 1) % 2 ** 32
    octetCount = (octetCount + byteLength) % 2 ** 32
    if (reportedAt === null || Math.abs(timestamp - reportedAt) >= REPORT_SAMPLES) report(timestamp)
  }
}
