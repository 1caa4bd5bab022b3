/** Speech models of the AI SDK as Colloquy's speech provider. */
export { type AiSdkSpeechOptions, type AiSdkVoice, createAiSdkSpeech } from './create-ai-sdk-speech.ts'
