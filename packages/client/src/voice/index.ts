export { createVoice, type Voice, type VoiceOptions } from './create-voice.ts'
export type {
  Microphone,
  MicrophoneListener,
  OpenMicrophone,
  OpenSpeaker,
  Speaker,
  VoiceSocket,
} from './ports.ts'
export type { Caption, ProblemCode, RecordingState, VoiceProblem, VoiceStatus, VoiceView } from './state.ts'
export { MICROPHONE_WORKLET } from './worklet.ts'
