import type { BusListener, BusMessage } from '../../packages/core/src/ports/bus.ts'
import type { Log } from '../../packages/core/src/ports/log.ts'
import { anEvent } from '../../packages/core/src/testing/conversation-fixtures.ts'

/** A notice with that sequence, and with nothing else. */
export const growth = (sequence: number): BusMessage => ({
  from: 'one',
  notice: { sequence, events: [], transients: [] },
})

/** A notice that carries its newest event, with that text. */
export const spokenGrowth = (sequence: number, text: string): BusMessage => ({
  from: 'one',
  notice: { sequence, events: [{ ...anEvent({ payload: { text } }), sequence }], transients: [] },
})

/** A listener that keeps what it hears: sequences, and `gap`. */
export function ears() {
  const heard: (number | 'gap')[] = []
  const listener: BusListener = {
    message: ({ notice }) => void heard.push('sequence' in notice ? notice.sequence : -1),
    gap: () => void heard.push('gap'),
  }
  return { heard, listener }
}

/** A log that keeps what is told. */
export function keepingLog() {
  const told: {
    readonly message: string
    readonly fields: Readonly<Record<string, unknown>>
  }[] = []
  const keep: Log['warn'] = (message, fields = {}) => void told.push({ message, fields })
  return { told, log: { debug: keep, info: keep, warn: keep, error: keep } satisfies Log }
}
