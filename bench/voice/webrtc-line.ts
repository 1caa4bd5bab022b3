import { Encoder } from '@evan/opus/wasm/index.mjs'
import { MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters, RtpHeader, RtpPacket } from 'werift'
import { WebSocket } from 'ws'
import type { createHearing, Line } from './call.ts'
import { FRAME_MS, RTP_RATE as RATE } from './rates.ts'

const SAMPLES = (RATE * FRAME_MS) / 1_000

/** Returns a packet of Opus with that level, as it is in the middle of a sound. */
function packetOf(level: number): Buffer {
  const encoder = new Encoder({ channels: 1, sample_rate: RATE, application: 'voip' })
  const samples = Int16Array.from({ length: SAMPLES }, (_, at) =>
    Math.round(Math.sin((2 * Math.PI * 220 * at) / RATE) * level),
  )
  const packets = Array.from({ length: 10 }, () => encoder.encode(new Uint8Array(samples.buffer)))
  encoder.drop()
  return Buffer.from(packets.at(-1) ?? [])
}

// Every caller sends the same packets: what they cost the callers is not measured.
const QUIET = packetOf(0)
const VOICE = packetOf(12_000)

/** Calls over WebRTC. */
export async function openWebrtcLine(
  { token, url }: { readonly token: string; readonly url: string },
  hearing: ReturnType<typeof createHearing>,
): Promise<Line> {
  const connection = new RTCPeerConnection({
    codecs: {
      audio: [new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: RATE, channels: 2 })],
      video: [],
    },
    ...{ iceServers: [], iceUseTcp: false, iceUseIpv6: false },
    ...{ iceInterfaceAddresses: { udp4: '127.0.0.1' }, iceAdditionalHostAddresses: ['127.0.0.1'] },
  })
  const microphone = new MediaStreamTrack({ kind: 'audio' })
  connection.addTransceiver(microphone, { direction: 'sendrecv' })
  let isOpen = false
  let sequence = 0
  let begun = 0
  connection.onTrack.subscribe(track =>
    track.onReceiveRtp.subscribe(({ header: { marker, timestamp } }) => {
      if (marker) {
        begun = timestamp
        hearing.begin()
      }
      hearing.frame(((timestamp - begun) * 1_000) / RATE)
    }),
  )
  const socket = new WebSocket(url, { perMessageDeflate: false })
  await new Promise<void>((resolve, reject) => {
    connection.connectionStateChange.subscribe(state => {
      isOpen = state === 'connected'
      if (isOpen) resolve()
    })
    socket.once('error', reject)
    socket.once('open', async () => {
      await connection.setLocalDescription(await connection.createOffer())
      const data = { type: 'offer', sdp: connection.localDescription?.sdp }
      socket.send(JSON.stringify({ type: 'offer', sessionId: '', authToken: token, data }))
    })
    socket.on('message', async text => {
      const { data, type } = JSON.parse(String(text))
      if (type === 'answer') await connection.setRemoteDescription(data)
      else if (type === 'ice-candidate') await connection.addIceCandidate(data)
      else reject(new Error(`The call was refused: ${data.message}`))
    })
  })
  return {
    send(isVoice) {
      const [sequenceNumber, timestamp] = [sequence % 2 ** 16, sequence * SAMPLES]
      sequence++
      const header = new RtpHeader({ payloadType: 96, sequenceNumber, timestamp, ssrc: 7 })
      microphone.writeRtp(new RtpPacket(header, isVoice ? VOICE : QUIET))
    },
    isOpen: () => isOpen,
    close: () => socket.terminate(),
  }
}
