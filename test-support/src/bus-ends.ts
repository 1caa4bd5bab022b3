import type { BusListener, BusMessage } from '../../packages/core/src/ports/bus.ts'
import { type Log, silentLog } from '../../packages/core/src/ports/log.ts'
import type { Settings } from '../../packages/core/src/settings/settings.ts'
import { createFakeClock } from '../../packages/core/src/testing/fake-clock.ts'

/** A notice with that sequence, and with nothing else. */
export const growth = (sequence: number): BusMessage => ({
  from: 'one',
  number: sequence,
  at: 0,
  notice: { sequence, events: [], transients: [] },
  signature: 'a bus does not look',
})

/** A notice that carries a chunk of a reply, with that text. */
export function spokenGrowth(sequence: number, text: string): BusMessage {
  const chunk = { type: 'AI_AGENT_MESSAGE_CHUNK', payload: { text }, custom: null, to: null } as const
  return { ...growth(sequence), notice: { sequence, events: [], transients: [chunk] } }
}

/** The parts of a process's end of a bus that a test of notices needs: all of them have one key. */
export const busParts = (from: string, onError: Settings['onError'] = () => {}) => ({
  ...{ from, onError, log: silentLog, clock: createFakeClock() },
  key: () => Promise.resolve('the key of the deployment'),
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
