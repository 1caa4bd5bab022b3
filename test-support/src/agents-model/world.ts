import { createPlatform, type Platform } from '../../../packages/core/src/platform.ts'
import type { AgentRuntime } from '../../../packages/core/src/ports/agent-runtime.ts'
import type { Clock } from '../../../packages/core/src/ports/clock.ts'
import { silentLog } from '../../../packages/core/src/ports/log.ts'
import type { Store } from '../../../packages/core/src/ports/store/store.ts'
import { createSequentialIds, START } from '../../../packages/core/src/testing/index.ts'
import type { World } from './play.ts'

/** No visitor talks to the agents of these tests. */
const silent: AgentRuntime = { async *respond() {} }

/** A clock that tells another moment each time, so that nothing happens at once; nothing ever becomes due. */
function createTicking(): Clock {
  let moment = START
  return { now: () => ++moment, monotonic: () => ++moment, schedule: () => () => {} }
}

/** Nodes that share what `open` opens; each has its own platform, and caches of its own. */
export async function platformsOver(open: () => Store | Promise<Store>, nodes: number): Promise<World> {
  const [clock, ids] = [createTicking(), createSequentialIds()]
  const start = (): Promise<readonly Platform[]> =>
    Promise.all(
      Array.from({ length: nodes }, async () =>
        createPlatform({
          log: silentLog,
          store: await open(),
          runtime: silent,
          clock,
          ids,
          rateLimits: null,
        }),
      ),
    )
  let platforms = await start()
  const close = async () => {
    for (const platform of platforms) await platform.close()
  }
  return {
    platform(node) {
      const platform = platforms[node % nodes]
      if (!platform) throw new Error('There is no such node')
      return platform
    },
    async reopen() {
      await close()
      platforms = await start()
    },
    close,
  }
}
