export { type AiSdkSpeakerOptions, createAiSdkSpeaker } from './speaker.ts'
export { type AiSdkTranscriberOptions, createAiSdkTranscriber } from './transcriber.ts'
