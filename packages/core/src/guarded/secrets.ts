import type { AnyConnector, Connector } from '../domain/access/access.ts'
import type { ContextKey } from '../domain/access/context-key.ts'
import { readSealed, sealedText } from '../domain/access/kept-secret.ts'
import { hashSecret } from '../domain/access/secret.ts'
import type { TokenKey } from '../domain/access/token-key.ts'
import type { WebhookEndpoint } from '../domain/webhook/webhook.ts'
import { PlatformError } from '../errors.ts'
import type { Store } from '../ports/store/store.ts'
import { overlaid } from '../shared/overlaid.ts'
import { createAesKey } from '../system/aes.ts'

/** Seals and opens secrets that must be read again: a hash would not do. */
export interface Cipher {
  /** @param of whose secret it is: opened as another's it is refused */
  seal(secret: string, of: string): Promise<string>
  /** One that is kept as it is comes back as it is. */
  open(kept: string, of: string): Promise<string>
  /** The names of the keys: the first seals. */
  readonly names: readonly string[]
  /** Reports whether a kept secret can be opened: it is kept unencrypted, or the key that sealed it is available. */
  opens(kept: string): boolean
}

const refused = (message: string, cause?: unknown) =>
  new PlatformError('INTERNAL', message, cause === undefined ? {} : { cause })

const idOf = (secret: string): string => hashSecret(`secrets-key ${secret}`).slice(0, 12)

/** Returns the cipher of a host's `secretsKey`: the first seals, all open. None: secrets are kept as they are. */
export function createCipher(secrets: readonly string[]): Cipher {
  const keys = new Map(secrets.map(secret => [idOf(secret), createAesKey(secret)]))
  const [first] = keys
  return {
    names: [...keys.keys()],
    opens: kept => keys.has(readSealed(kept)?.keyId ?? '') || readSealed(kept) === null,
    async seal(secret, of) {
      if (first === undefined) return secret
      const [keyId, key] = first
      return sealedText({ keyId, ...(await key.encrypt(secret, of)) })
    },
    async open(kept, of) {
      const read = readSealed(kept)
      if (read === null) return kept
      const key = keys.get(read.keyId)
      if (key === undefined)
        throw refused(
          `The store holds secrets that were encrypted with the key ${read.keyId}, and secretsKey ${
            keys.size === 0 ? 'is not given' : `holds ${[...keys.keys()].join(', ')}`
          }. Give the key with which they were written.`,
        )
      try {
        return await key.decrypt(read, of)
      } catch (cause) {
        throw refused(`A stored secret of ${of} is damaged, or was moved there from elsewhere.`, cause)
      }
    },
  }
}

const each = <Value>(values: readonly Value[], change: (value: Value) => Promise<Value>) =>
  Promise.all(values.map(change))

type Change = Cipher['seal']

const withKeys =
  (change: Change) =>
  async <Kind extends AnyConnector>(connector: Kind): Promise<Kind> => {
    if (connector.kind !== 'messaging' || connector.contextKeys.length === 0) return connector
    const contextKeys = await each<ContextKey>(connector.contextKeys, async key => ({
      ...key,
      secret: await change(key.secret, `context key ${key.kid}`),
    }))
    return { ...connector, contextKeys }
  }

const withSecrets =
  (change: Change) =>
  async (endpoint: WebhookEndpoint): Promise<WebhookEndpoint> => {
    const { secret, previousSecret } = endpoint
    const of = `webhook endpoint ${endpoint.id}`
    return {
      ...endpoint,
      secret: await change(secret, of),
      previousSecret:
        previousSecret === null
          ? null
          : { ...previousSecret, secret: await change(previousSecret.secret, of) },
    }
  }

const withSecret =
  (change: Change) =>
  async (key: TokenKey): Promise<TokenKey> => ({
    ...key,
    secret: await change(key.secret, `token key ${key.id}`),
  })

const orNull = <Value>(value: Value | null, change: (value: Value) => Promise<Value>) =>
  value === null ? Promise.resolve(null) : change(value)

function sealedConnectors(
  connectors: Store['access']['connectors'],
  { seal, open }: Cipher,
): Store['access']['connectors'] {
  const opened = withKeys(open)
  const sealed = withKeys(seal)
  const sameKeys = (one: Connector, other: Connector) =>
    JSON.stringify(one.contextKeys) === JSON.stringify(other.contextKeys)
  /**
   * Returns the connector of `before` as it is kept: what is sealed again is another text, which a store would find
   * changed.
   */
  async function keptOf<Kind extends AnyConnector>(before: Kind): Promise<Kind | null> {
    if (before.kind !== 'messaging' || before.contextKeys.length === 0) return before
    const kept = await connectors.find(before.id)
    if (kept === null || !sameKeys(await opened(kept), before)) return null
    return { ...before, contextKeys: kept.contextKeys }
  }
  return overlaid(connectors, {
    create: async (connector, outbox) => connectors.create(await sealed(connector), outbox),
    find: async id => orNull(await connectors.find(id), opened),
    findByTokenHash: async hash => orNull(await connectors.findByTokenHash(hash), opened),
    list: async (filter, limit) => each(await connectors.list(filter, limit), opened),
    async update(before, next, outbox) {
      const kept = await keptOf(before)
      return kept === null ? 'stale' : connectors.update(kept, await sealed(next), outbox)
    },
  })
}

function sealedTokenKeys(
  tokenKeys: Store['access']['tokenKeys'],
  { seal, open, opens, names }: Cipher,
): Store['access']['tokenKeys'] {
  /** A secret that is drawn once stays while keys change: each key that seals keeps it once more, under its name. */
  async function secret(name: string, candidate: string): Promise<string> {
    const keep = async (as: string, value: string) => tokenKeys.secret(as, await seal(value, name))
    const [sealing] = names
    const oldest = names.at(-1)
    const kept = await keep(name, candidate)
    if (sealing === undefined || readSealed(kept)?.keyId === sealing) return open(kept, name)
    const readable = opens(kept) || oldest === sealing ? kept : await keep(`${name} ${oldest}`, candidate)
    const value = opens(readable) ? await open(readable, name) : candidate
    return open(await keep(`${name} ${sealing}`, value), name)
  }
  return overlaid(tokenKeys, {
    secret,
    list: async () => each(await tokenKeys.list(), withSecret(open)),
    add: async (key, until, outbox) => tokenKeys.add(await withSecret(seal)(key), until, outbox),
  })
}

function sealedWebhooks(
  { endpoints, deliveries }: Store['webhooks'],
  { seal, open }: Cipher,
): Store['webhooks'] {
  const [opened, sealed] = [withSecrets(open), withSecrets(seal)]
  return {
    endpoints: overlaid(endpoints, {
      create: async (endpoint, limit, outbox) => endpoints.create(await sealed(endpoint), limit, outbox),
      find: async (accountId, id) => orNull(await endpoints.find(accountId, id), opened),
      list: async (accountId, filter, limit) => each(await endpoints.list(accountId, filter, limit), opened),
      update: async (version, next, outbox) => endpoints.update(version, await sealed(next), outbox),
    }),
    deliveries: overlaid(deliveries, {
      claim: async (endpointId, now, limit, until) =>
        each(await deliveries.claim(endpointId, now, limit, until), async claimed => ({
          ...claimed,
          endpoint: await opened(claimed.endpoint),
        })),
    }),
  }
}

/**
 * Returns a store that is given secrets sealed, and gives them opened (CR91): of webhook endpoints, context keys and
 * token keys. Stores know nothing of it.
 */
export const sealStore = (store: Store, cipher: Cipher): Store => ({
  ...store,
  access: overlaid(store.access, {
    connectors: sealedConnectors(store.access.connectors, cipher),
    tokenKeys: sealedTokenKeys(store.access.tokenKeys, cipher),
  }),
  webhooks: sealedWebhooks(store.webhooks, cipher),
})

/** The largest number of connectors, and of accounts with their endpoints, to check when a process starts. */
const LOOKED_AT = 1_000

/** Opens what the store holds, as far as it is looked at. @throws INTERNAL in words, for a key that is not theirs */
export async function checkSecrets({ access, webhooks }: Store): Promise<void> {
  await access.tokenKeys.list()
  await access.connectors.list({}, LOOKED_AT)
  for (const { id } of await access.accounts.list({}, LOOKED_AT))
    await webhooks.endpoints.list(id, {}, LOOKED_AT)
}
