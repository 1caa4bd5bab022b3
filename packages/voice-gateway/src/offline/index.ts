export { createOfflineSpeaker, type OfflineSpeakerOptions } from './speaker.ts'
export { createOfflineTranscriber, type OfflineTranscriberOptions } from './transcriber.ts'
