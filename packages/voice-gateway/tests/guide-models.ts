import type { Server } from 'node:http'
import type { Platform } from '@colloquy/core'
import { attachVoice, type SpokenTurn } from '@colloquy/voice-gateway'
import { createAiSdkSpeaker, createAiSdkTranscriber } from '@colloquy/voice-gateway/ai-sdk'
import type { SpeechModel, TranscriptionModel } from 'ai'

/** Lets visitors speak with their agent, such as with `openai.transcription('whisper-1')` and `openai.speech('tts-1')`. */
export const speakWithModels = (
  server: Server,
  platform: Platform,
  models: { readonly hears: TranscriptionModel; readonly speaks: SpeechModel },
  onTurn: (turn: SpokenTurn) => void,
) =>
  attachVoice(server, platform, {
    transcriber: createAiSdkTranscriber({ model: models.hears }),
    speaker: createAiSdkSpeaker({ model: models.speaks, voice: 'alloy' }),
    maxCalls: 50,
    longestCall: 15 * 60_000,
    onTurn,
  })
