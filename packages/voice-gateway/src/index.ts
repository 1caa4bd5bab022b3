export type { SpokenTurn } from '@colloquy/core/transport'
export type { RecordingOptions } from './domain/consent.ts'
export {
  createEnergyDetector,
  type EnergyDetectorOptions,
  type EnergyState,
} from './domain/energy-detector.ts'
export type { CallOptions } from './domain/limits.ts'
export type { Speaker, SpeechOptions } from './ports/speaker.ts'
export type {
  Transcriber,
  TranscriptEvent,
  Transcription,
  TranscriptionOptions,
} from './ports/transcriber.ts'
export type { HeardWindow, TurnDetector, Verdict } from './ports/turn-detector.ts'
export {
  attachVoice,
  createVoiceEndpoint,
  type Voice,
  type VoiceOptions,
  type VoicePlatform,
  type VoiceSocketOptions,
} from './socket/attach-voice.ts'
