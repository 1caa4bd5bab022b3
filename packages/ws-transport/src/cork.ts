import type { Duplex } from 'node:stream'

/** Holds what is written to sockets until the tick ends, so that each socket gets one write of the system a tick. */
export interface Cork {
  hold(socket: Duplex): void
}

export function createCork(): Cork {
  const held = new Set<Duplex>()
  const letGo = (): void => {
    for (const socket of held) socket.uncork()
    held.clear()
  }
  return {
    hold(socket) {
      if (held.has(socket)) return
      if (held.size === 0) setImmediate(() => setImmediate(letGo))
      held.add(socket)
      socket.cork()
    },
  }
}
