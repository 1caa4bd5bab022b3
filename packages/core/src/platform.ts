import type { Access } from './usecases/access/access.ts'
import type { Agents } from './usecases/agents/agents.ts'
import type { Context } from './usecases/context.ts'
import type { ExternalEvents } from './usecases/external-events/external-events.ts'
import type { Messaging } from './usecases/messaging/messaging.ts'
import type { Reading } from './usecases/reading/reading.ts'

/** The platform as a host holds it; every interface to the outside is made of these calls. */
export interface Platform {
  readonly context: Context
  readonly agents: Agents
  readonly access: Access
  readonly messaging: Messaging
  readonly reading: Reading
  readonly externalEvents: ExternalEvents
}
