import type { Speaker } from './event-payloads.ts'

/** Returns the speaker of a message, as clients show it beside the text. Unknown values are left out (MS36). */
export function speakerOf({
  name,
  avatarUrl,
}: {
  readonly name: string
  readonly avatarUrl: string
}): Speaker {
  const speaker: { agent_name?: string; avatar_url?: string } = {}
  if (name !== '') speaker.agent_name = name
  if (avatarUrl !== '') speaker.avatar_url = avatarUrl
  return speaker
}
