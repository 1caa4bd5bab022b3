import type { Server } from 'node:http'
import type { Platform } from '@colloquy/core'
import { attachVoice } from '@colloquy/voice-gateway'
import { createOfflineSpeaker, createOfflineTranscriber } from '@colloquy/voice-gateway/offline'

/** Lets visitors speak with their agent, without a provider. */
export const speakOffline = (server: Server, platform: Platform) =>
  attachVoice(server, platform, {
    transcriber: createOfflineTranscriber({ phrases: ['when is breakfast', 'may I bring my dog'] }),
    speaker: createOfflineSpeaker(),
  })
