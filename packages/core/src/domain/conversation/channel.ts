/**
 * Returns a channel as filters compare it: letters of ASCII in any case, as every store can (contract/conversations.md,
 * v3 list).
 */
export const comparedChannel = (channel: string): string =>
  channel.replace(/[A-Z]+/g, letters => letters.toLowerCase())
