/** Colours of avatars. A visitor without a name has the colour in the name that the console gives them. */
export const HUES = ['amber', 'blue', 'coral', 'green', 'pink', 'silver', 'teal', 'violet'] as const
export type Hue = (typeof HUES)[number]

/** A number from a text, the same in every browser (FNV-1a, 32 bits). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  // The lowest bits of similar texts are alike: the highest are mixed in.
  return (hash ^ (hash >>> 15)) >>> 0
}

/** Returns the colour of an id: always the same one. */
export const hueOf = (id: string): Hue => HUES[hashOf(id) % HUES.length] ?? 'silver'

/** Returns the number of the animal in the name that the console gives to an id, below `count`. */
export const animalOf = (id: string, count: number): number => Math.floor(hashOf(id) / HUES.length) % count

/** Returns the initials of a name: of its first and its last word, in capitals. Empty if it has no letter. */
export function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const first = [...(words[0] ?? '')][0] ?? ''
  const last = words.length > 1 ? ([...(words.at(-1) ?? '')][0] ?? '') : ''
  return (first + last).toLocaleUpperCase()
}
