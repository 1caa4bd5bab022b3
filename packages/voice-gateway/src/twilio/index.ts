export { attachTwilioVoice, type TwilioVoiceOptions } from './attach-twilio-voice.ts'
