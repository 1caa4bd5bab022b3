export { attachTwilioVoice, type TwilioVoiceOptions } from './attach-twilio-voice.ts'
export type { TransferCall } from './media-stream.ts'
