export {
  attachTwilioVoice,
  type TwilioVoiceEndpoint,
  type TwilioVoiceOptions,
} from './attach-twilio-voice.ts'
export type { TransferCall } from './media-stream.ts'
