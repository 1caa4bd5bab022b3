import type { SharedLimits } from '@colloquy/core'
import { atMost, createLink, type TimingSettings } from '@colloquy/core/broker'
import type { RedisClientOptions } from '../client/client-options.ts'
import { distinctName } from '../client/names.ts'
import { checkOptions } from './check-options.ts'
import { connectLimits, type LimitsConnection } from './connection.ts'
import type { ScriptName } from './scripts.ts'

/** Options of limits in Redis; see the README. One of `client` and `url` is required. */
export interface RedisLimitsOptions extends RedisClientOptions, TimingSettings {
  /**
   * Begins the name of every key; platforms that are not to count together have different ones.
   * @default colloquy:
   */
  readonly prefix?: string
}

/** Limits in Redis. */
export interface RedisLimits extends SharedLimits {
  /** Waits for pending requests, a second at most, and ends the connection. Later requests reject. */
  close(): Promise<void>
}

/** The longest time that `close` waits for responses, milliseconds. */
const FAREWELL = 1_000

/** Returns why there is no connection. */
const without = (server: string, { message }: Error): Error =>
  new Error(`There is no connection to ${server}: ${message}`)

/** Parses the response to a take. */
function takeOf(answer: unknown): { readonly taken: boolean; readonly tokens: number } {
  const [taken, tokens]: readonly unknown[] = Array.isArray(answer) ? answer : []
  return { taken: taken === 1, tokens: typeof tokens === 'string' ? Number(tokens) : Number.NaN }
}

/**
 * Limits that hold over all processes with the same Redis (BR2, BR3, LR2 to LR9, LI1 to LI5). It connects in the
 * background, and again whenever the server was away. A request without a connection rejects at once. Only requests
 * before the end of the first attempt to connect wait for it.
 *
 * @throws SCHEMA_VALIDATION_FAILED for an invalid option (EM4)
 */
export function createRedisLimits(options: RedisLimitsOptions): RedisLimits {
  const { given, prefix, timing } = checkOptions(options)
  let connection: LimitsConnection | null = null
  /** Null before the first attempt has ended. */
  let absence: Error | null = null
  let closed = false
  const underWay = new Set<Promise<unknown>>()
  let attempted = (): void => undefined
  const firstAttempt = new Promise<void>(resolve => {
    attempted = resolve
  })

  const link = createLink<LimitsConnection>({
    connect: ended => connectLimits(given, ended),
    timing,
    up(working) {
      connection = working
      attempted()
    },
    down(error) {
      connection = null
      absence = without(given.server, error)
      attempted()
    },
  })

  async function run(script: ScriptName, key: string, ...args: readonly (string | number)[]) {
    if (connection === null && absence === null) await firstAttempt
    if (closed || connection === null) throw absence
    const answer = connection.run(script, prefix + key, args.map(String))
    underWay.add(answer)
    try {
      return await answer
    } finally {
      underWay.delete(answer)
    }
  }

  const bucketKey = (name: string): string => `rate:${distinctName(name)}`
  const placesKey = (of: string): string => `places:${distinctName(of)}`

  return {
    take: async (bucket, { perSecond, burst }) =>
      takeOf(await run('take', bucketKey(bucket), perSecond, burst, 1)),
    peek: async (bucket, { perSecond, burst }) =>
      takeOf(await run('take', bucketKey(bucket), perSecond, burst, 0)).tokens,
    hold: async ({ of, holder }, { most, lease }) =>
      (await run('hold', placesKey(of), distinctName(holder), Math.ceil(lease), most)) === 1,
    async renew(places, lease) {
      // The clients write all requests of one tick without waiting for answers.
      await Promise.all(
        places.map(({ of, holder }) => run('renew', placesKey(of), distinctName(holder), Math.ceil(lease))),
      )
    },
    async release({ of, holder }) {
      await run('release', placesKey(of), distinctName(holder))
    },
    async close() {
      if (closed) return
      closed = true
      absence = without(given.server, new Error('the limits are closed.'))
      attempted()
      // Waits for places that are being released, so that others can have them.
      await atMost(FAREWELL, Promise.allSettled(underWay))
      link.close()
      connection = null
    },
  }
}
