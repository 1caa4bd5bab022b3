import type { VoicesApi } from '@colloquy/client/voices'

export type Voice = Awaited<ReturnType<VoicesApi['listVoices']>>['voices'][number]

/** Reports whether a provider offers it; the field's name has the word of the host's brand in it, of whatever signs. */
export const isOffered = (voice: Voice): boolean =>
  Object.entries(voice).some(([name, value]) => /^is.*Voice$/.test(name) && value === true)
