import type { Recordings } from '@colloquy/core'
import { createFolderFiles } from '@colloquy/integrations/files'
import type { RecordingOptions } from '@colloquy/voice-gateway'

/** For `createPlatform`: where the sound is kept. */
export const recordings: Recordings = {
  keep: createFolderFiles({ folder: '/srv/colloquy/recordings' }),
}

/** For `attachVoice`, `attachWebrtc` and `attachTwilioVoice`. */
export const recording: RecordingOptions = {
  mode: 'ask',
  question: 'May we record this call to train our staff? Say yes, or press one.',
  words: ['yes', 'yes please'],
  withdrawKeys: '*9',
}
