import { type ApiKeyId, asId, type ConnectorId, type ConversationId } from '../../domain/ids.ts'
import type { Bus } from '../../ports/bus.ts'

/** What can be revoked. */
export type CredentialId = ApiKeyId | ConnectorId

/** The bus's key of a key or connector: no conversation has this id. */
const topicOf = (id: CredentialId): ConversationId => asId(`revoked:${id}`)

/** Tells every process that a key or connector is revoked. A revocation stands, so nothing more has to be said. */
export const announceRevocation = (bus: Bus, id: CredentialId): void =>
  bus.publish(topicOf(id), { sequence: 0, events: [], transients: [] })

/** Calls `revoked` when the revocation is announced; the returned function ends it. */
export const hearRevocation = (bus: Bus, id: CredentialId, revoked: () => void): (() => void) =>
  bus.subscribe(topicOf(id), revoked)
