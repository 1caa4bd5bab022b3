import { type BusMessage, LONGEST_MESSAGE } from '../ports/bus.ts'

/** What a bus says begins with its name, so that it knows its own without reading on. */
export const write = (bus: string, message: BusMessage): string => `${bus} ${JSON.stringify(message)}`

/** What a bus says instead of notices that it could not send: that some were lost. */
export const writeGap = (bus: string): string => `${bus} gap`

/** True for what a bus of that name has written. */
export const isFrom = (bus: string, text: string): boolean => text.startsWith(`${bus} `)

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isMessage = (value: unknown): value is BusMessage =>
  isObject(value) && typeof Reflect.get(value, 'from') === 'string' && isObject(Reflect.get(value, 'notice'))

/** The name of a bus and the parts of a message that are not counted in its length. */
const ROOM = 1_024

/**
 * What another bus has written: a message, or that some were lost. Null for what no bus wrote, which is not parsed
 * where it is longer than any message: whoever reaches the broker may send hundreds of megabytes.
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
