export { createScriptedSpeaker, type ScriptedSpeaker, type SpeakerStep } from './scripted-speaker.ts'
export {
  createScriptedTranscriber,
  type ScriptedTranscriber,
  type ScriptedTranscriberOptions,
  type TranscriberStep,
} from './scripted-transcriber.ts'
export { silenceOf, textOfTones, tonesOf } from './tones.ts'
