import { createHmac } from 'node:crypto'
import type { Server } from 'node:http'
import type { Platform } from '@colloquy/core'
import type { Voice } from '@colloquy/voice-gateway'
import { attachWebrtc } from '@colloquy/voice-gateway/webrtc'

/** Lets the clients of the hosted original call. `secret` is the `static-auth-secret` of coturn. */
export const speakOverWebrtc = (
  server: Server,
  platform: Platform,
  voice: Voice,
  turn: { readonly host: string; readonly secret: string },
) =>
  attachWebrtc(server, platform, {
    ...voice,
    media: { ports: [50_000, 50_999], announcedAddress: '203.0.113.7' },
    iceServers() {
      // Good for an hour: whoever copies it from the page cannot use the relay for long.
      const username = String(Math.floor(Date.now() / 1_000) + 3_600)
      const credential = createHmac('sha1', turn.secret).update(username).digest('base64')
      return [{ urls: `stun:${turn.host}` }, { urls: `turn:${turn.host}`, username, credential }]
    },
  })
