import type { Json, JsonObject } from '../json.ts'
import type { ConversationState, HandedOff } from './state.ts'

/** The most characters of an id of the integrator's. A longer one is none. */
export const LONGEST_SHARED_ID = 200

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const idOf = (value: Json | undefined): string | null =>
  typeof value === 'string' && value !== '' && value.length <= LONGEST_SHARED_ID ? value : null

/**
 * Returns the data to keep of a handoff that begins now. They are from this moment, whatever is written later (RC80).
 */
export const handedOffNow = (
  { variables, integrationAttributes }: Pick<ConversationState, 'variables' | 'integrationAttributes'>,
  { destination, reason }: { readonly destination: string; readonly reason: string },
  at: number,
): HandedOff => ({
  data: isObject(variables.handoff) ? variables.handoff : { destination, reason },
  sharedId: idOf(variables.shared_id) ?? idOf(integrationAttributes.shared_id),
  at,
})
