import { ignoreOutcome } from '../../shared/call-host.ts'
import type { ConnectionPort } from './connection-port.ts'

/** Hands a transport a frame for a visitor (EM1): what it throws, or rejects with, goes to `failed` and no further. */
export function sendFrame(
  port: ConnectionPort,
  frame: string,
  { cursor, soon }: { readonly cursor: number; readonly soon: boolean },
  failed: (error: unknown) => void,
): void {
  try {
    ignoreOutcome(port.send(frame, cursor, soon), failed)
  } catch (error) {
    failed(error)
  }
}
