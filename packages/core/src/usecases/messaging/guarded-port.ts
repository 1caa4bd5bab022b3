import { callHost, ignoreOutcome } from '../../shared/call-host.ts'
import type { ConnectionPort } from './connection-port.ts'

/**
 * A transport's port (EM1): errors that it throws, or rejects with, are reported. A class, because each open socket has
 * one.
 */
export class GuardedPort implements ConnectionPort {
  readonly #port: ConnectionPort
  readonly #failed: (error: unknown) => void

  constructor(port: ConnectionPort, failed: (error: unknown) => void) {
    this.#port = port
    this.#failed = failed
  }

  send(frame: string, cursor: number): void {
    try {
      ignoreOutcome(this.#port.send(frame, cursor), this.#failed)
    } catch (error) {
      this.#failed(error)
    }
  }

  close(code: number, reason: string): void {
    callHost(() => this.#port.close(code, reason), this.#failed)
  }

  async drained(): Promise<void> {
    try {
      await this.#port.drained()
    } catch (error) {
      this.#failed(error)
    }
  }
}
