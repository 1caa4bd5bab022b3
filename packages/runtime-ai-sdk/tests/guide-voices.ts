import { createPlatform, type Platform, type PlatformOptions } from '@colloquy/core'
import { createAiSdkSpeech } from '@colloquy/runtime-ai-sdk/speech'
import type { SpeechModel } from 'ai'

/** A platform whose libraries offer the voices of a speech model, such as `openai.speech('gpt-4o-mini-tts')`. */
export function withVoices(options: PlatformOptions, model: SpeechModel): Platform {
  const speechProvider = createAiSdkSpeech({
    model,
    provider: 'OPENAI',
    voices: [
      { id: 'alloy', name: 'Alloy', gender: 'neutral' },
      { id: 'ash', name: 'Ash', gender: 'male' },
    ],
  })
  return createPlatform({ ...options, speechProvider })
}
