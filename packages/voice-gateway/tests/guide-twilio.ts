import type { Platform } from '@colloquy/core'
import { createTwilioHandler } from '@colloquy/integrations/twilio'
import type { TwilioVoiceEndpoint } from '@colloquy/voice-gateway/twilio'

/** Answers Twilio's requests. `voice` is what `attachTwilioVoice` returns. */
export const answerTwilio = (
  platform: Platform,
  voice: TwilioVoiceEndpoint,
  authToken: string | readonly string[],
) => createTwilioHandler({ platform, authToken, url: 'https://chat.example/twilio', voice })
