import * as z from 'zod'

/** The position in a list at which a page ended: the next page begins after it. */
export interface ListPosition {
  readonly startedAt: number
  readonly id: string
}

const positionSchema = z.tuple([z.int(), z.string().min(1)])

/** Returns an opaque, URL-safe name of the position. */
export function encodeCursor({ startedAt, id }: ListPosition): string {
  const bytes = new TextEncoder().encode(JSON.stringify([startedAt, id]))
  const text = Array.from(bytes, byte => String.fromCharCode(byte)).join('')
  return btoa(text)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '')
}

/** Returns the position that a cursor names; null unless {@link encodeCursor} could have written exactly this text. */
export function decodeCursor(cursor: string): ListPosition | null {
  try {
    const text = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(text, character => character.charCodeAt(0))
    const parsed = positionSchema.safeParse(
      JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)),
    )
    if (!parsed.success) return null
    const position = { startedAt: parsed.data[0], id: parsed.data[1] }
    return encodeCursor(position) === cursor ? position : null
  } catch {
    return null
  }
}
