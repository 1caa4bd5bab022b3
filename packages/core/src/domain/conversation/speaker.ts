import type { JsonObject } from '../json.ts'

/** Who says a message, as clients show it beside the text; what is not known is left out (MS34). */
export const speakerOf = ({
  name,
  avatarUrl,
}: {
  readonly name: string
  readonly avatarUrl: string
}): JsonObject => ({
  ...(name === '' ? {} : { agent_name: name }),
  ...(avatarUrl === '' ? {} : { avatar_url: avatarUrl }),
})
