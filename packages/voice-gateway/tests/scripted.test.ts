import { UP_RATE } from '../src/audio/pcm.ts'
import { createEnergyDetector } from '../src/index.ts'
import { testSpeaker, testTranscriber, testTurnDetector } from '../src/testing/contracts.ts'
import { createScriptedSpeaker, createScriptedTranscriber, tonesOf } from '../src/testing/index.ts'

testSpeaker('scripted', { open: async () => createScriptedSpeaker() })
testTranscriber('scripted', {
  open: async () => createScriptedTranscriber(),
  speech: async () => ({ sound: tonesOf('May I bring my dog', UP_RATE), word: 'dog' }),
})

const speech = async () => tonesOf('May I bring my dog', UP_RATE)
testTurnDetector('energy gate', { open: () => createEnergyDetector(), speech })
testTurnDetector('quick energy gate', {
  open: () => createEnergyDetector({ silence: 200, longestSilence: 200, ratio: 4, minLevel: 1_000 }),
  speech,
})
