import type { AnyConnector, Connector, TelephonyConnector } from '../../domain/access/access.ts'
import type { ConnectorStore } from '../../ports/store/connectors.ts'
import type { Outbox } from '../../ports/store/outbox.ts'
import type { Condition, Versioned } from '../documents.ts'
import {
  absent,
  changed,
  type Decision,
  type Guarded,
  isSame,
  plain,
  plainOrNull,
  unchanged,
  versioned,
} from '../guarded.ts'
import { CONNECTOR, PHONE_NUMBER } from '../kinds.ts'
import { isUseDue, listCredentials } from './credentials.ts'

const isMessaging = <T extends AnyConnector>(connector: T): connector is T & Connector =>
  connector.kind === 'messaging'
const isTelephony = <T extends AnyConnector>(connector: T): connector is T & TelephonyConnector =>
  connector.kind === 'telephony'

/** Returns the settings that an update compares. */
const settingsOf = (connector: AnyConnector): AnyConnector =>
  isMessaging(connector) ? { ...connector, lastUsedAt: null } : connector

const tokenOf = (connector: AnyConnector): string | null =>
  isMessaging(connector) ? connector.tokenHash : null

async function messaging(over: Guarded, id: string): Promise<Versioned<Connector> | null> {
  const connector = await over.one(CONNECTOR, id)
  return connector !== null && isMessaging(connector) ? connector : null
}

async function telephony(over: Guarded, id: string): Promise<Versioned<TelephonyConnector> | null> {
  const connector = await over.one(CONNECTOR, id)
  return connector !== null && isTelephony(connector) ? connector : null
}

/** Returns the numbers that it answers, and the conditions that they still are these. */
async function numbersOf({ scan }: Guarded, id: string) {
  const numbers = await scan(PHONE_NUMBER, 'connector', { prefix: [id] })
  const when: readonly Condition[] = [
    ...numbers.map(number => unchanged(PHONE_NUMBER, number)),
    { kind: PHONE_NUMBER, index: 'connector', prefix: [id], atMost: numbers.length },
  ]
  return { numbers, when }
}

/** Returns the condition that no connector has its token yet. */
const newToken = (connector: AnyConnector): readonly Condition[] =>
  isMessaging(connector)
    ? [{ kind: CONNECTOR, index: 'token', prefix: [connector.tokenHash], atMost: 0 }]
    : []

/** Decides what an update writes. Its conditions are that nothing it read has changed. */
async function updated(
  over: Guarded,
  before: AnyConnector,
  next: AnyConnector,
  outbox: Outbox | undefined,
): Promise<Decision<'written' | 'stale'>> {
  const stored = await over.one(CONNECTOR, before.id)
  if (stored === null || !isSame(settingsOf(plain<AnyConnector>(stored)), settingsOf(before)))
    return { result: 'stale' }
  const { accountId, agentId, environment } = next
  const used = isMessaging(stored) ? { lastUsedAt: stored.lastUsedAt } : {}
  const token = tokenOf(stored) === tokenOf(next) ? [] : newToken(next)
  if (token.length > 0 && (await over.first(CONNECTOR, 'token', [tokenOf(next) ?? ''])) !== null)
    throw new Error('Another connector has that token.')
  const { numbers, when } = isTelephony(stored) ? await numbersOf(over, before.id) : { numbers: [], when: [] }
  const moved = numbers.map(number => changed(number, { accountId, agentId, environment }))
  const value = { ...next, ...used, id: before.id, version: stored.version + 1 }
  return {
    when: [unchanged(CONNECTOR, stored), ...token, ...when],
    put: [{ kind: CONNECTOR, value }, ...moved.map(value => ({ kind: PHONE_NUMBER, value }))],
    outbox,
    result: 'written',
  }
}

/** Connectors of either kind. No two have the same token. A change takes the phone numbers along that it answers. */
export function connectorsOver(over: Guarded): ConnectorStore {
  const { decided, first, write } = over

  return {
    async create(connector, outbox) {
      const refused = await write({
        when: [absent(CONNECTOR, connector.id), ...newToken(connector)],
        put: [{ kind: CONNECTOR, value: versioned(connector) }],
        outbox,
      })
      return refused === null ? 'created' : 'taken'
    },
    find: async id => plainOrNull<Connector>(await messaging(over, id)),
    async findByTokenHash(hash) {
      const connector = await first(CONNECTOR, 'token', [hash])
      return connector !== null && isMessaging(connector) ? plain<Connector>(connector) : null
    },
    async list(filter, limit) {
      const found = await listCredentials(over, CONNECTOR, { lead: ['messaging'], filter, limit })
      return found.filter(isMessaging).map(plain<Connector>)
    },
    findTelephony: async id => plainOrNull<TelephonyConnector>(await telephony(over, id)),
    async listTelephony(agentId, filter, limit) {
      const of = { lead: ['telephony'], filter: { ...filter, agentId }, limit }
      const found = await listCredentials(over, CONNECTOR, of)
      return found.filter(isTelephony).map(plain<TelephonyConnector>)
    },
    update: (before, next, outbox) => decided(() => updated(over, before, next, outbox)),
    revoke: (id, at, outbox) =>
      decided(async () => {
        const connector = await messaging(over, id)
        if (connector === null || connector.revokedAt !== null) return { result: connector !== null }
        const value = changed<Connector>(connector, { revokedAt: at })
        return {
          when: [unchanged(CONNECTOR, connector)],
          put: [{ kind: CONNECTOR, value }],
          outbox,
          result: true,
        }
      }),
    revokeTelephony: (id, at, outbox) =>
      decided<readonly string[] | null>(async () => {
        const connector = await telephony(over, id)
        if (connector === null || connector.revokedAt !== null) return { result: null }
        const { numbers, when } = await numbersOf(over, id)
        const value = changed<TelephonyConnector>(connector, { revokedAt: at })
        return {
          when: [unchanged(CONNECTOR, connector), ...when],
          put: [{ kind: CONNECTOR, value }],
          remove: numbers.map(({ number }) => ({ kind: PHONE_NUMBER, id: number })),
          outbox,
          result: numbers.map(({ number }) => number),
        }
      }),
    touch: (id, at, interval) =>
      decided(async () => {
        const connector = await messaging(over, id)
        if (connector === null || !isUseDue(connector.lastUsedAt, at, interval)) return { result: false }
        const value = changed<Connector>(connector, { lastUsedAt: at })
        return { when: [unchanged(CONNECTOR, connector)], put: [{ kind: CONNECTOR, value }], result: true }
      }),
  }
}
