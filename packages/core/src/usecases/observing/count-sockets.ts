import type { Telemetry } from '../../ports/telemetry.ts'

/** The count of visitors' open connections in this process, reported at every change (PM1). */
export interface SocketCount {
  opened(): void
  closed(): void
}

export function countSockets(telemetry: Pick<Telemetry, 'measure'> | null): SocketCount {
  let open = 0
  const change = (by: number): void => {
    open += by
    telemetry?.measure('colloquy.sockets', open, {})
  }
  return { opened: () => change(1), closed: () => change(-1) }
}
