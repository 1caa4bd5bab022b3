import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod'
import { DESK_EVENTS } from '../../packages/core/src/http/answers/desk-events.ts'
import { createEventNames } from '../../packages/core/src/protocol/event-names.ts'
import { serverFrames } from '../../packages/core/src/protocol/frames.ts'

/** The frames that were sent since the last test, and what is wrong with them. */

const names = createEventNames('AI')
const frames = serverFrames(names)

const faults = new Set<string>()
let checked = 0
let madeUp = false

/** The running test makes up the events that are sent: only where they go is looked at, not what they hold. */
export function makeUpFrames(): void {
  madeUp = true
}

const LONGEST = 1_000

/** Returns the fault of a value; null if it fits and has no further field. */
export function misfit(schema: z.ZodType, value: unknown): string | null {
  const parsed = schema.safeParse(value)
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
  // A schema drops the fields that it does not know.
  return isDeepStrictEqual(parsed.data, value) ? null : 'it has fields that are not declared'
}

function note(fault: string | null, what: string, shown: string): void {
  if (madeUp) return
  checked++
  if (fault !== null && faults.size < 5) faults.add(`${what} ${fault}\n${shown.slice(0, LONGEST)}`)
}

/** The brand's word, wherever it is in the name of an event. */
const BRAND = /("type":"EVENT_TYPE_(?:REQUEST_)?)(?!LIVE_AGENT)[A-Z0-9_-]+?(?=_AGENT_)/g

/** Returns the reason that a frame to a visitor is not declared; null if it is (MS42). Any brand's word is valid. */
export function visitorFrameFault(text: string): string | null {
  const value: unknown = JSON.parse(text.replaceAll(BRAND, '$1AI'))
  const short = names.short(String(Reflect.get(Object(value), 'type')))
  const schema = short === null ? undefined : frames.get(short)
  return schema === undefined ? 'is no event' : misfit(schema, value)
}

/** Checks a frame on its way to a visitor. */
export const checkVisitorFrame = (text: string): void =>
  note(visitorFrameFault(text), 'a frame to a visitor:', text)

/** Checks a frame on its way to a live agent. */
export function checkDeskFrame(frame: { readonly type: string }): void {
  const schema = Object.entries(DESK_EVENTS).find(([type]) => type === frame.type)?.[1]
  const fault = schema === undefined ? 'is no event' : misfit(schema, frame)
  note(fault, `a frame to a live agent:`, JSON.stringify(frame))
}

/** Returns the number of checked frames, and their faults. Resets both. */
export function checkedFrames(): { readonly checked: number; readonly faults: readonly string[] } {
  const found = { checked, faults: [...faults] }
  faults.clear()
  checked = 0
  madeUp = false
  return found
}
