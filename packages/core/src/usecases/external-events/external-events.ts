import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import {
  type ExternalEventInput,
  type ExternalEventReceipt,
  receiveExternalEvent,
} from './receive-external-event.ts'

/** What outside systems send into conversations (contract/external-events.md). */
export interface ExternalEvents {
  /**
   * Takes what came for an event id that an agent waits for. Resolves after it is stored.
   * @throws UNSUPPORTED_CONTENT_TYPE, EXTERNAL_EVENT_ID_NOT_FOUND, EXTERNAL_EVENT_ID_INVALID
   */
  receive(input: ExternalEventInput): Promise<ExternalEventReceipt>
}

/** External events over the context's store; `engine` carries them into their conversations. */
export const createExternalEvents = (context: Context, engine: Pick<Engine, 'execute'>): ExternalEvents => ({
  receive: input => receiveExternalEvent(context, engine, input),
})
