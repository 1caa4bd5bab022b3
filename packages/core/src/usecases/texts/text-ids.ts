import type { ConversationId } from '../../domain/ids.ts'

/** Returns our id of a text, by which its carrier knows it. */
export const textIdOf = (id: ConversationId, number: number): string => `${id}.${number}`

/** Parses such an id. Returns null for any other string. */
export function namedText(id: string): { readonly id: ConversationId; readonly number: number } | null {
  const found = /^([\w-]{1,200})\.([1-9]\d{0,8})$/.exec(id)
  const [, conversationId, number] = found ?? []
  return conversationId === undefined ? null : { id: conversationId, number: Number(number) }
}
