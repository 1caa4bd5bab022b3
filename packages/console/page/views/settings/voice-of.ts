import type { voices } from '../../api.ts'

export type Voice = Awaited<ReturnType<typeof voices.listVoices>>['voices'][number]

/** Whether a provider offers it; the field's name has the word of the host's brand in it. */
export const isOffered = (voice: Voice): boolean =>
  Object.entries(voice).some(([name, value]) => /^is\w*Voice$/.test(name) && value === true)
