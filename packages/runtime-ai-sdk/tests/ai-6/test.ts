// Version 6 has the mocks of V3. Tests name those of the newest version.
export {
  MockLanguageModelV3 as MockLanguageModelV4,
  MockSpeechModelV3 as MockSpeechModelV4,
  simulateReadableStream,
} from 'ai-6/test'
