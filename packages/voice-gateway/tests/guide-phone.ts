import type { Server } from 'node:http'
import type { Platform } from '@colloquy/core'
import type { Voice } from '@colloquy/voice-gateway'
import { attachTwilioVoice, type TwilioVoiceOptions } from '@colloquy/voice-gateway/twilio'

/** Answers phone calls, and transfers those that the agent hands over to a number. */
export const answerPhone = (
  server: Server,
  platform: Platform,
  voice: Voice,
  account: Pick<TwilioVoiceOptions, 'authToken' | 'connectorToken' | 'transfer'>,
) =>
  attachTwilioVoice(server, platform, {
    ...voice,
    ...account,
    host: 'https://phone.example',
    url: 'wss://chat.example/twilio/voice',
    silentTurn: 8_000,
  })
