import type { BusMessage } from '@colloquy/core'

/** What a bus says begins with its name, so that it knows its own without reading on. */
export const write = (bus: string, message: BusMessage): string => `${bus} ${JSON.stringify(message)}`

/** The same without the events, which receivers then read in the log; a message without events is left as it is. */
export function writeShorter(bus: string, message: BusMessage): string {
  const { notice } = message
  return write(bus, 'events' in notice ? { ...message, notice: { ...notice, events: [] } } : message)
}

/** What a bus says instead of notices that it could not send: that some were lost. */
export const writeGap = (bus: string): string => `${bus} gap`

/** True for what a bus of that name has written. */
export const isFrom = (bus: string, text: string): boolean => text.startsWith(`${bus} `)

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isMessage = (value: unknown): value is BusMessage =>
  isObject(value) && typeof Reflect.get(value, 'from') === 'string' && isObject(Reflect.get(value, 'notice'))

/** What another bus has written: a message, or that some were lost. Null for what no bus wrote. */
export function read(text: string): BusMessage | 'gap' | null {
  const said = text.slice(text.indexOf(' ') + 1)
  if (said === 'gap') return said
  try {
    const value: unknown = JSON.parse(said)
    return isMessage(value) ? value : null
  } catch {
    return null
  }
}
