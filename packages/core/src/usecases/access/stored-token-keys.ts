import { keysFor, type TokenKey, verifies } from '../../domain/access/token-key.ts'
import { PLATFORM } from '../../domain/audit/audit.ts'
import type { TokenKeyId } from '../../domain/ids.ts'
import type { Outbox } from '../../ports/store/outbox.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import { type Acting, actingIn, type Context } from '../context.ts'
import { createFresh } from '../shared/fresh.ts'
import { createLastUsed } from '../shared/last-used.ts'
import type { SigningKey, TokenKeyInfo, TokenKeys } from './token-keys.ts'

/** The number of unknown `kid`s that a process remembers (CR13). */
const REMEMBERED_UNKNOWN = 1_000

const shown = ({ secret: _, ...info }: TokenKey): TokenKeyInfo => info

/**
 * Adds a key after the newest one, or the first key. A process that loses the race for a number goes on with the key of
 * the process that won.
 */
async function addKey(
  context: Context,
  keys: readonly TokenKey[],
  earlierUntil: number,
  outboxOf: (id: TokenKeyId) => Outbox = () => ({}),
): Promise<boolean> {
  const { clock, ids, store } = context
  const number = (keys[0]?.number ?? 0) + 1
  const id = ids.short()
  const key = { number, id, secret: ids.secret(), createdAt: clock.now(), verifiesUntil: null }
  return (await store.access.tokenKeys.add(key, earlierUntil, outboxOf(id))) === 'added'
}

/** Returns the audit entry of a rotation. */
const rotated =
  (context: Acting, revokeEarlier: boolean) =>
  (id: TokenKeyId): Outbox => ({
    audit: auditEntry(context, 'token_key.rotated', {
      ...{ accountId: null, resourceId: id, details: { revokeEarlier } },
    }),
  })

/**
 * Keys that the store keeps. To issue a token they are read, so a rotation is in force at once wherever tokens are
 * issued.
 */
export function createStoredTokenKeys(context: Context): TokenKeys {
  const { clock, settings, store } = context
  const cache = createKeyCache(context)

  /** Returns the time at which the last token of the current signing key has expired, by the clock of any process. */
  const tokensEnd = (): number =>
    clock.now() + settings.accessTokenSeconds * 1_000 + settings.tokenClockTolerance

  async function signer(keys: readonly TokenKey[]): Promise<SigningKey> {
    const [newest] = keys
    if (newest === undefined) throw new Error('The store has no token key, although one was added.')
    return newest
  }

  return {
    async signing() {
      const now = clock.now()
      const keys = await cache.read()
      if (keys.some(key => !verifies(key, now))) await store.access.tokenKeys.remove(now)
      const { tokenKeyRotation } = settings
      const due = tokenKeyRotation !== null && (keys[0]?.createdAt ?? now) + tokenKeyRotation <= now
      if (!due) return signer(keys)
      // One of several processes does it; the others find its key.
      await addKey(context, keys, tokensEnd(), rotated(actingIn(context, PLATFORM), false))
      return signer(await cache.read())
    },
    async verifying(kid) {
      return keysFor(await cache.with(kid), kid, clock.now())
    },
    // Not through the cache, which makes the first key: listing keys must not make one.
    list: async () => (await store.access.tokenKeys.list()).map(shown),
    async rotate(caller, { revokeEarlier = false }) {
      const outboxOf = rotated(actingIn(context, caller), revokeEarlier)
      for (let added = false; !added; )
        added = await addKey(context, await cache.read(), revokeEarlier ? clock.now() : tokensEnd(), outboxOf)
      return (await cache.read()).map(shown)
    },
  }
}

/** Returns the keys as this process read them last. */
function createKeyCache(context: Context) {
  const { clock, settings, store } = context
  let cached: { readonly keys: readonly TokenKey[]; readonly turn: number; readonly at: number } | null = null
  let turns = 0
  let reading: Promise<readonly TokenKey[]> | null = null
  /** A key is stored before it signs, and its name cannot be guessed: a name that a read did not show is not a key. */
  const unknown = createLastUsed<string, true>(REMEMBERED_UNKNOWN)

  /** Reads the keys. Among concurrent reads, the one that began last is remembered. */
  async function read(): Promise<readonly TokenKey[]> {
    const turn = ++turns
    const at = clock.monotonic()
    let keys = await store.access.tokenKeys.list()
    if (keys.length === 0) {
      await addKey(context, keys, 0)
      keys = await store.access.tokenKeys.list()
    }
    if (cached === null || cached.turn < turn) cached = { keys, turn, at }
    return keys
  }

  /** Returns the keys as of at most `Settings.revocationCheck` ago. */
  async function recent(): Promise<readonly TokenKey[]> {
    if (cached !== null && clock.monotonic() < cached.at + settings.revocationCheck) return cached.keys
    reading ??= read().finally(() => {
      reading = null
    })
    return reading
  }

  const readAgain = createFresh(read)

  return {
    read,
    /**
     * Returns the keys as they were lately. Reads them again when none has that `kid` and the store may have one that
     * does.
     */
    async with(kid: string): Promise<readonly TokenKey[]> {
      const has = (keys: readonly TokenKey[]) => keys.some(({ id }) => id === kid)
      const known = await recent()
      if (has(known) || unknown.has(kid)) return known
      const keys = await readAgain()
      if (!has(keys)) unknown.set(kid, true)
      return keys
    },
  }
}
