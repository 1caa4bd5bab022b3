import { z } from 'zod'

/** The place in a list that a page ended at: the next page begins after it. */
export interface ListPlace {
  readonly startedAt: number
  readonly id: string
}

const placeSchema = z.tuple([z.int(), z.string().min(1)])

/** An opaque, URL-safe name of the place. */
export function encodeCursor({ startedAt, id }: ListPlace): string {
  const bytes = new TextEncoder().encode(JSON.stringify([startedAt, id]))
  const text = Array.from(bytes, byte => String.fromCharCode(byte)).join('')
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** The place that a cursor names; null unless {@link encodeCursor} could have written exactly this text. */
export function decodeCursor(cursor: string): ListPlace | null {
  try {
    const text = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(text, character => character.charCodeAt(0))
    const parsed = placeSchema.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
    if (!parsed.success) return null
    const place = { startedAt: parsed.data[0], id: parsed.data[1] }
    return encodeCursor(place) === cursor ? place : null
  } catch {
    return null
  }
}
