import type { Kept } from '@colloquy/core/broker'
import type { GivenRedis } from '../client/client-options.ts'
import { ioRedisConnection } from '../client/ioredis.ts'
import { nodeRedisConnection } from '../client/node-redis.ts'
import { SCRIPTS, type ScriptName } from './scripts.ts'

/** A connection that runs the scripts. */
export interface LimitsConnection extends Kept {
  /** Runs one on a key, in one round trip. */
  run(script: ScriptName, key: string, args: readonly string[]): Promise<unknown>
}

type Send = (command: readonly string[]) => Promise<unknown>

const isUnknownScript = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('NOSCRIPT')

/** Returns the part that both packages have in common. */
function overCommands({ open, ping, destroy }: Kept, send: Send): LimitsConnection {
  const digests = new Map<ScriptName, string>()
  return {
    ...{ ping, destroy },
    async open() {
      await open()
      for (const name of ['take', 'hold', 'renew', 'release'] as const)
        digests.set(name, String(await send(['SCRIPT', 'LOAD', SCRIPTS[name]])))
    },
    async run(script, key, args) {
      try {
        return await send(['EVALSHA', digests.get(script) ?? '', '1', key, ...args])
      } catch (error) {
        // The server has forgotten its scripts: SCRIPT FLUSH, or another one has taken its place. It keeps this one.
        if (isUnknownScript(error)) return send(['EVAL', SCRIPTS[script], '1', key, ...args])
        throw error
      }
    },
  }
}

/** Returns a connection with the options of a host's client. */
export function connectLimits(given: GivenRedis, ended: (error: Error) => void): LimitsConnection {
  if (given.package === 'ioredis') {
    const connection = ioRedisConnection(given.client, ended)
    return overCommands(connection, ([name = '', ...args]) => connection.client.call(name, ...args))
  }
  const connection = nodeRedisConnection(given.client, ended)
  return overCommands(connection, command => connection.client.sendCommand([...command]))
}
