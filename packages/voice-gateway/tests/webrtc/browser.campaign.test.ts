// Slow: a call in a real browser takes the time of what is said.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { requireBrowser } from '@colloquy/test-support/browser'
import { requireProgram } from '@colloquy/test-support/servers'
import { afterAll, expect, test } from 'vitest'
import { createOfflineSpeaker, createOfflineTranscriber } from '../../src/offline/index.ts'
import { startRtcHost } from './support/rtc-host.ts'

const flite = requireProgram('flite', 'flite')
requireProgram('pocketsphinx_continuous', 'pocketsphinx')
const { open, profile } = requireBrowser(
  ...['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
  ...['--autoplay-policy=no-user-gesture-required', '--allow-loopback-in-peer-connection'],
  `--use-file-for-fake-audio-capture=${spokenFile('when is breakfast', 12)}`,
)

/** A WAV of a sentence, with a second of silence before it and more behind it. A browser plays it over and over. */
function spokenFile(text: string, silence: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-webrtc-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'spoken.wav')
  execFileSync(flite, ['-voice', 'slt', '-t', text, '-o', file])
  const wav = readFileSync(file)
  const rate = wav.readUInt32LE(24)
  const sound = Buffer.concat([Buffer.alloc(rate * 4), wav.subarray(44), Buffer.alloc(rate * 2 * silence)])
  const head = Buffer.from(wav.subarray(0, 44))
  head.writeUInt32LE(36 + sound.length, 4)
  head.writeUInt32LE(sound.length, 40)
  writeFileSync(file, Buffer.concat([head, sound]))
  return file
}

/** A page that calls, as its own script would, and shows what comes of it. */
const pageOf = (token: string) => `<!doctype html><title>Call</title><main></main><script>
const show = text => { document.querySelector('main').textContent = text }
let sessionId = ''
globalThis.energy = async () => {
  for (const report of (await peer.getStats()).values())
    if (report.type === 'inbound-rtp') return report.totalAudioEnergy
  return 0
}
const peer = new RTCPeerConnection()
const socket = new WebSocket(location.origin.replace('http', 'ws') + '/api/v1/webrtc/signal')
const send = frame => socket.send(JSON.stringify({ sessionId, ...frame }))
globalThis.hangUp = () => send({ type: 'close' })
peer.onconnectionstatechange = () => show(peer.connectionState)
peer.onicecandidate = ({ candidate }) => candidate && send({ type: 'ice-candidate', data: candidate.toJSON() })
peer.ontrack = ({ track }) => {
  const audio = new Audio()
  audio.srcObject = new MediaStream([track])
  audio.play()
}
socket.onmessage = async ({ data }) => {
  const frame = JSON.parse(data)
  if (frame.type === 'answer') {
    sessionId = frame.sessionId
    await peer.setRemoteDescription(frame.data)
  } else if (frame.type === 'ice-candidate') await peer.addIceCandidate(frame.data)
  else show(frame.data.code + ' ' + frame.data.message)
}
socket.onclose = ({ code }) => show('closed ' + code)
socket.onopen = async () => {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: false } })
  for (const track of stream.getTracks()) peer.addTrack(track, stream)
  await peer.setLocalDescription(await peer.createOffer())
  send({ type: 'offer', authToken: ${JSON.stringify(token)}, data: peer.localDescription.toJSON() })
}
</script>`

const answering: AgentRuntime = {
  async *respond({ input }) {
    yield {
      type: 'text',
      text:
        input.type === 'message' && input.text === 'when is breakfast'
          ? 'Breakfast is from seven to ten.'
          : 'Welcome.',
    }
  },
}

test('VG66 a page with its own RTCPeerConnection speaks with the agent and hears it: what was said is understood', async () => {
  const host = await startRtcHost({
    runtime: answering,
    page: pageOf,
    voice: {
      transcriber: createOfflineTranscriber({
        phrases: ['when is breakfast', 'when is dinner', 'is there a gym'],
      }),
      speaker: createOfflineSpeaker(),
      ...{ transcriptionDeadline: 120_000, speechDeadline: 120_000 },
    },
  })
  const page = await open(await profile(), `http://localhost:${host.port}/`)
  const main = page.locator('main')
  await main.getByText('connected', { exact: true }).waitFor()
  const energy = () => page.evaluate<number>('energy()')
  await expect.poll(energy).toBeGreaterThan(0)
  const texts = async () => ((await host.recorded())[0] ?? []).map(({ text }) => text)
  await expect.poll(texts).toContain('when is breakfast')
  await expect.poll(texts).toContain('Breakfast is from seven to ten.')
  const before = await energy()
  await expect.poll(energy).toBeGreaterThan(before + 0.001)
  await page.evaluate('hangUp()')
  await main.getByText('closed 1000').waitFor()
  await expect.poll(() => host.active()).toBe(0)
  expect(page.complaints).toEqual([])
  expect(host.errors).toEqual([])
})
