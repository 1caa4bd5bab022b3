import type { BusMessage, NoticeTopic } from '@colloquy/core'

const HALF_A_PAIR = /\p{Surrogate}/u

/**
 * The channel of a topic. Channels are UTF-8, which has no half of a surrogate pair: a topic with one is written in
 * ASCII, so that no two topics share a channel.
 */
export const channelOf = (prefix: string, topic: NoticeTopic): string =>
  prefix + (HALF_A_PAIR.test(topic) ? `\0${JSON.stringify(topic)}` : topic)

/** What a bus says begins with its name, so that it knows its own without reading on. */
export const write = (bus: string, message: BusMessage): string => `${bus} ${JSON.stringify(message)}`

/** True for what a bus of that name has written. */
export const isFrom = (bus: string, text: string): boolean => text.startsWith(`${bus} `)

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isMessage = (value: unknown): value is BusMessage =>
  isObject(value) &&
  typeof Reflect.get(value, 'from') === 'string' &&
  isObject(Reflect.get(value, 'notice'))

/** A message that another bus has written; null for what no bus wrote. */
export function read(text: string): BusMessage | null {
  try {
    const value: unknown = JSON.parse(text.slice(text.indexOf(' ') + 1))
    return isMessage(value) ? value : null
  } catch {
    return null
  }
}
