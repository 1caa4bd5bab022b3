import { isIPv6 } from 'node:net'
import { type MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters } from 'werift'
import { makeKeys } from './cipher-keys.ts'
import type { AudioPacket } from './jitter.ts'
import type { MediaOptions } from './media-options.ts'
import { announced } from './offer-sdp.ts'
import { opusSamples, RTP_RATE } from './opus-packet.ts'
import { createPacketSender, type SentPacket } from './packet-sender.ts'
import type { LocalCandidate } from './signal.ts'

/** The receiver of what comes from the client. */
export interface PeerListener {
  connected(): void
  packet(packet: AudioPacket): void
  /** The client has closed the connection, or it failed. */
  closed(): void
}

/** The server's side of a connection with a client. */
export interface AudioPeer {
  /** Answers an offer. @throws TypeError for one that cannot be answered */
  answer(sdp: string): Promise<{ readonly sdp: string; readonly candidates: readonly LocalCandidate[] }>
  send(packet: SentPacket): void
  close(): Promise<void>
}

/** Listens at one address of the machine. */
const onlyAt = (address: string) => ({
  iceInterfaceAddresses: isIPv6(address) ? { udp6: address } : { udp4: address },
  iceAdditionalHostAddresses: [address],
  iceUseIpv4: !isIPv6(address),
  iceUseIpv6: isIPv6(address),
})

/**
 * Opens the server's side of a connection. It takes audio in Opus alone, and waits for the client's checks (ICE lite):
 * it sends nothing to an address before that has answered.
 */
export function openPeer(media: MediaOptions, listener: PeerListener): AudioPeer {
  const { address, announcedAddress = null, ports } = media
  const connection = new RTCPeerConnection({
    codecs: {
      audio: [
        new RTCRtpCodecParameters({
          ...{ mimeType: 'audio/opus', clockRate: RTP_RATE, channels: 2 },
          parameters: 'minptime=10;useinbandfec=1',
        }),
      ],
      video: [],
    },
    headerExtensions: { audio: [], video: [] },
    ...{ iceLite: true, iceServers: [], iceUseTcp: false },
    ...(ports === undefined ? {} : { icePortRange: [ports[0], ports[1]] }),
    ...(address === undefined ? {} : onlyAt(address)),
  })
  const candidates: LocalCandidate[] = []
  let payloadType = 0
  let send = (_: SentPacket): void => {}
  let isClosed = false

  connection.onIceCandidate.subscribe(given => {
    if (given === undefined) return
    const { candidate, sdpMid, sdpMLineIndex } = given
    candidates.push({
      candidate: announced(candidate, announcedAddress),
      sdpMid: sdpMid ?? '0',
      sdpMLineIndex: sdpMLineIndex ?? 0,
    })
  })
  connection.connectionStateChange.subscribe(state => {
    if (isClosed) return
    if (state === 'connected') {
      for (const transport of connection.dtlsTransports) makeKeys(transport)
      listener.connected()
    }
    if (state === 'closed' || state === 'failed') listener.closed()
  })
  connection.onTrack.subscribe(({ onReceiveRtp }: MediaStreamTrack) =>
    onReceiveRtp.subscribe(({ header, payload }) => {
      const samples = header.payloadType === payloadType ? opusSamples(payload) : null
      if (isClosed || samples === null) return
      const { sequenceNumber, ssrc, timestamp } = header
      listener.packet({ sequence: sequenceNumber, timestamp, ssrc, payload, samples })
    }),
  )

  return {
    async answer(sdp) {
      await connection.setRemoteDescription({ type: 'offer', sdp }).catch(cause => {
        throw new TypeError('The field data.sdp cannot be answered.', { cause })
      })
      const transceiver = connection.getTransceivers().find(({ kind }) => kind === 'audio')
      const [codec] = transceiver?.codecs ?? []
      if (transceiver === undefined || codec === undefined)
        throw new TypeError('The field data.sdp must offer audio with opus/48000/2.')
      payloadType = codec.payloadType
      transceiver.setDirection('sendrecv')
      send = createPacketSender(transceiver.sender, payloadType)
      await connection.setLocalDescription(await connection.createAnswer())
      const { sdp: answer = '' } = connection.localDescription ?? {}
      return { sdp: announced(answer, announcedAddress), candidates }
    },
    send(packet) {
      if (!isClosed) send(packet)
    },
    async close() {
      if (isClosed) return
      isClosed = true
      await connection.close()
    },
  }
}
