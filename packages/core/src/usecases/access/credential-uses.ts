import type { ApiKey, Connector } from '../../domain/access/access.ts'
import type { Context } from '../context.ts'
import { createLastUsed } from '../shared/last-used.ts'

/** Credentials whose last recorded use this process remembers. */
const REMEMBERED = 10_000

/** Records when credentials are used, without delaying the requests that use them (CR4). */
export interface CredentialUses {
  apiKey(key: ApiKey): void
  connector(connector: Connector): void
  /** Resolves when no use is being written. */
  settled(): Promise<void>
}

/**
 * Records uses of credentials. A use is written when none was recorded in `Settings.credentialUseInterval`, as far as
 * the credential says and this process remembers. The store lets one of several processes do it. The write is not
 * waited for. A failed write is reported to the host, and tried again with a use in the next interval.
 */
export function createCredentialUses({ clock, settings, store }: Context): CredentialUses {
  const { credentialUseInterval: interval } = settings
  const tried = createLastUsed<string, number>(REMEMBERED)
  const writing = new Set<Promise<void>>()

  function note({ id, lastUsedAt }: ApiKey | Connector, write: (at: number) => Promise<boolean>): void {
    const [now, tick] = [clock.now(), clock.monotonic()]
    // One that is further ahead was noted before the clock was put back (TM4).
    const noted = lastUsedAt !== null && now < lastUsedAt + interval && lastUsedAt <= now + interval
    if (noted || tick < (tried.get(id) ?? Number.NEGATIVE_INFINITY) + interval) return
    tried.set(id, tick)
    const written = write(now)
      .catch(error => settings.onError(error, 'last use of a credential'))
      .then(() => {
        writing.delete(written)
      })
    writing.add(written)
  }

  return {
    apiKey: key => note(key, at => store.access.apiKeys.touch(key.id, at, interval)),
    connector: connector => note(connector, at => store.access.connectors.touch(connector.id, at, interval)),
    async settled() {
      await Promise.all(writing)
    },
  }
}
