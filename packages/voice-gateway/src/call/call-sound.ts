import type { Clock, ConsentWay } from '@colloquy/core'
import type { CallRecorder } from '@colloquy/core/transport'
import type { Mark } from '../domain/frames.ts'
import { AgentSound } from './agent-sound.ts'
import { Recording, removeKept } from './recording.ts'

/** The parts of a gateway that the sound of calls needs. */
interface SoundParts {
  readonly clock: Clock
  readonly onError: (error: unknown, where: string) => void
  /** Calls are never recorded. */
  readonly isOff: boolean
}

/** The sound of one call over one line, and its recordings: one at a time. */
export class CallSound {
  readonly #parts: SoundParts
  readonly #stopped: (reason: 'full' | 'failed') => void
  readonly #agent = new AgentSound()
  #recording: Recording | null = null
  /** Earlier ones, which may still be kept or removed. */
  #before: Promise<unknown> = Promise.resolve()

  /** @param given a recording can go on no longer */
  constructor(parts: SoundParts, given: (reason: 'full' | 'failed') => void) {
    this.#parts = parts
    this.#stopped = given
  }

  /** There is consent. */
  record(recorder: CallRecorder | null, call: string, how: ConsentWay): void {
    if (recorder === null) {
      const error = new Error('Calls cannot be recorded: the platform has no recordings.keep.')
      this.#parts.onError(error, 'voice recording')
      this.#stopped('failed')
      return
    }
    const { clock, onError } = this.#parts
    const parts = { recorder, clock, onError, given: this.#stopped, after: this.#before }
    this.#recording = new Recording(parts, call, how)
  }

  /** Nothing of the conversation's recordings stays. */
  withdraw(recorder: CallRecorder | null): void {
    const { clock, onError } = this.#parts
    if (this.#recording !== null) {
      this.#recording.withdraw()
      this.#leave()
    } else if (recorder !== null)
      this.#before = this.#before.then(() => removeKept({ clock, onError, recorder }))
  }

  heard(bytes: Uint8Array, toMs: number): void {
    this.#recording?.heard(bytes, toMs)
  }

  paused(): void {
    this.#recording?.paused()
  }

  begins(id: string, fromMs: number): void {
    if (!this.#parts.isOff) this.#agent.begins(id, fromMs)
  }

  sent(bytes: Uint8Array): void {
    if (!this.#parts.isOff) this.#agent.sent(bytes)
  }

  cut(): void {
    this.#agent.cut()
  }

  played(mark: Mark): void {
    const heard = this.#agent.played(mark)
    if (heard !== null) this.#recording?.agent(heard)
  }

  tick(): void {
    this.#recording?.tick()
  }

  end(): void {
    this.#recording?.end()
    this.#leave()
  }

  /** Resolves when nothing is to be kept or removed any more. */
  async settled(): Promise<void> {
    await this.#before
    await this.#recording?.settled()
  }

  #leave(): void {
    const recording = this.#recording
    if (recording === null) return
    this.#recording = null
    this.#before = recording.settled()
  }
}
