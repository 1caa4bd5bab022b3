import { UP_RATE } from '../src/audio/pcm.ts'
import { testSpeaker, testTranscriber } from '../src/testing/contracts.ts'
import { createScriptedSpeaker, createScriptedTranscriber, tonesOf } from '../src/testing/index.ts'

testSpeaker('scripted', { open: async () => createScriptedSpeaker() })
testTranscriber('scripted', {
  open: async () => createScriptedTranscriber(),
  speech: async () => ({ sound: tonesOf('May I bring my dog', UP_RATE), word: 'dog' }),
})
