import { vi } from 'vitest'
import { PATIENCE } from './patience.ts'

// Vitest gives up after a second where nothing else is said, and has no setting for it. That is little for what another process
// does, on a machine that is busy.

const DONE = Symbol.for('colloquy: tests wait patiently')

type Options = Parameters<typeof vi.waitFor>[1]

const patient = (options: Options): Options =>
  typeof options === 'number' ? options : { timeout: PATIENCE, ...options }

// Files share processes, and each of those has one `vi`.
if (!Reflect.has(vi, DONE)) {
  const { waitFor, waitUntil } = vi
  const waiting: Pick<typeof vi, 'waitFor' | 'waitUntil'> = {
    waitFor: (callback, options) => waitFor(callback, patient(options)),
    waitUntil: (callback, options) => waitUntil(callback, patient(options)),
  }
  Object.assign(vi, waiting, { [DONE]: true })
}
