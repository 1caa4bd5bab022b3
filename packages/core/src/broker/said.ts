import { type BusMessage, LONGEST_MESSAGE } from '../ports/bus.ts'

/** Begins each text with the name of its bus, which recognises its own texts by that alone. */
export const write = (bus: string, message: BusMessage): string => `${bus} ${JSON.stringify(message)}`

/** Writes a notice that other notices were lost. Sent in their place. */
export const writeGap = (bus: string): string => `${bus} gap`

/** True for what a bus of that name has written. */
export const isFrom = (bus: string, text: string): boolean => text.startsWith(`${bus} `)

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isMessage = (value: unknown): value is BusMessage =>
  isObject(value) && typeof Reflect.get(value, 'from') === 'string' && isObject(Reflect.get(value, 'notice'))

/** The name of a bus and the parts of a message that are not counted in its length. */
const ROOM = 1_024

/**
 * Reads the text of another bus: a message, or that some were lost. Returns null for a text that no bus wrote. A text
 * that is longer than any message is not parsed: anyone who reaches the broker may send hundreds of megabytes.
 */
export function read(text: string): BusMessage | 'gap' | null {
  if (text.length > LONGEST_MESSAGE + ROOM) return null
  const said = text.slice(text.indexOf(' ') + 1)
  if (said === 'gap') return said
  try {
    const value: unknown = JSON.parse(said)
    return isMessage(value) ? value : null
  } catch {
    return null
  }
}
