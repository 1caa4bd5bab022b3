import type { LibraryVoice, Platform } from '@colloquy/core'

/** What the agent says, as a WAV: out of its audio cache where it has said it before. */
export async function sayAs(
  { voices }: Platform,
  agentId: string,
  { provider, providerVoiceId, config }: LibraryVoice,
  text: string,
): Promise<Uint8Array> {
  const { audio } = await voices.say(agentId, { text, provider, providerVoiceId, config })
  return audio
}
