import type { Settings } from '../../settings/settings.ts'
import { callHost, ignoreOutcome } from '../../shared/call-host.ts'
import type { ConnectionPort } from './connection-port.ts'

/** Wraps a transport's port (EM1): errors that it throws, or rejects with, are reported. */
export function guardPort(port: ConnectionPort, onError: Settings['onError']): ConnectionPort {
  const failed = (error: unknown): void => onError(error, 'messaging transport')
  return {
    send(frame) {
      try {
        ignoreOutcome(port.send(frame), failed)
      } catch (error) {
        failed(error)
      }
    },
    close: (code, reason) => callHost(() => port.close(code, reason), failed),
    async drained() {
      try {
        await port.drained()
      } catch (error) {
        failed(error)
      }
    },
  }
}
