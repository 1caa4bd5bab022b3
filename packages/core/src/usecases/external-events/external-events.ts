import { type CallsOf, callsWith } from '../../calls/call.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import {
  type ExternalEventInput,
  type ExternalEventReceipt,
  externalEventSchema,
  receiveExternalEvent,
} from './receive-external-event.ts'

/** The calls for events that outside systems send into conversations (contract/external-events.md). */
export interface ExternalEvents {
  /**
   * Receives an external event for an event id that an agent waits for. Resolves after it is stored.
   *
   * @throws UNSUPPORTED_CONTENT_TYPE, EXTERNAL_EVENT_ID_NOT_FOUND, EXTERNAL_EVENT_ID_INVALID
   */
  receive(input: ExternalEventInput): Promise<ExternalEventReceipt>
}

/** The dependencies of external events. */
type Deps = Context & { readonly engine: Pick<Engine, 'execute'> }

/** The implementations of the calls about external events. */
export const externalEventCalls = {
  receive: callsWith<Deps>().call(
    () => [externalEventSchema()],
    (deps, input) => receiveExternalEvent(deps, deps.engine, input),
  ),
} satisfies CallsOf<ExternalEvents, Deps>
