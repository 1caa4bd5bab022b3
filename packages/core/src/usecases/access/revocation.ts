import { asId, type ConnectorId, type ConversationId } from '../../domain/ids.ts'
import type { Bus } from '../../ports/bus.ts'

/** The bus's key of a connector: no conversation has this id. */
const topicOf = (id: ConnectorId): ConversationId => asId(`connector:${id}`)

/** Tells every process that a connector is revoked. A revocation stands, so nothing more has to be said. */
export const announceRevocation = (bus: Bus, id: ConnectorId): void =>
  bus.publish(topicOf(id), { sequence: 0, events: [], transients: [] })

/** Calls `revoked` when the connector's revocation is announced; the returned function ends it. */
export const hearRevocation = (bus: Bus, id: ConnectorId, revoked: () => void): (() => void) =>
  bus.subscribe(topicOf(id), revoked)
