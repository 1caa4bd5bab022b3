import type { Json, JsonObject } from '../json.ts'

/** Who says a message, as clients show it beside the text; what is not known is left out (MS34). */
export function speakerOf({
  name,
  avatarUrl,
}: {
  readonly name: string
  readonly avatarUrl: string
}): JsonObject {
  const speaker: Record<string, Json> = {}
  if (name !== '') speaker.agent_name = name
  if (avatarUrl !== '') speaker.avatar_url = avatarUrl
  return speaker
}
