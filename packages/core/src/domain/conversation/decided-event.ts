import type { JsonObject } from '../json.ts'
import type { ClientOrigin } from './command.ts'
import type { ConversationEvent, CustomMetadata, EventDraft, EventJson, JournaledEventType } from './event.ts'

/** The fields of a client's event that its echo repeats. */
export type EchoOf = Pick<ClientOrigin, 'custom' | 'clientEventId' | 'localId'>

/**
 * Keeps the JSON of a decided payload, which was made to count its bytes. The log and the wire use it again. The field
 * is private, so a copy with another payload does not have it, and a bus sends the payload once.
 */
class KnownPayload {
  readonly payload: JsonObject
  readonly #text: string

  constructor(payload: JsonObject, text: string) {
    this.payload = payload
    this.#text = text
  }

  static textOf(event: { readonly payload: JsonObject }): string {
    return event instanceof KnownPayload ? event.#text : JSON.stringify(event.payload)
  }
}

/** An event that a decision adds. */
export class DecidedDraft extends KnownPayload implements EventDraft {
  readonly type: JournaledEventType
  readonly custom: CustomMetadata | null
  readonly clientEventId: string | null
  declare readonly localId?: string | null
  declare readonly id?: string

  /** @param origin the client's event that it echoes, or an id for it */
  constructor(type: JournaledEventType, payload: JsonObject, origin: EchoOf | { readonly id: string }) {
    super(payload, JSON.stringify(payload))
    const echoes = 'id' in origin ? null : origin
    this.type = type
    this.custom = echoes?.custom ?? null
    this.clientEventId = echoes?.clientEventId ?? null
    if ('id' in origin) this.id = origin.id
    else if (typeof origin.localId === 'string') this.localId = origin.localId
  }
}

/** The fields that an event gets when it is written to the log. */
interface Stamp {
  readonly id: string
  readonly at: number
  readonly sequence: number
}

/** The event that a draft becomes in the log. */
export class DecidedEvent extends KnownPayload implements ConversationEvent {
  readonly id: string
  readonly at: number
  readonly type: JournaledEventType
  readonly custom: CustomMetadata | null
  readonly clientEventId: string | null
  readonly sequence: number
  declare readonly localId?: string | null

  constructor(draft: EventDraft, { id, at, sequence }: Stamp) {
    super(draft.payload, payloadText(draft))
    this.id = id
    this.at = at
    this.type = draft.type
    this.custom = draft.custom
    this.clientEventId = draft.clientEventId
    this.sequence = sequence
    if (draft.localId !== undefined) this.localId = draft.localId
  }
}

/** Returns an event's payload as `JSON.stringify` makes it; of an event that was just decided it is there already. */
export const payloadText = KnownPayload.textOf

/** Returns an event as a store hands it on. */
export const jsonOfEvent = (event: ConversationEvent): EventJson => ({
  ...event,
  payload: { text: payloadText(event), value: event.payload },
})
