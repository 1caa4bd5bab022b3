import { canonicalJson } from '../../../domain/canonical-json.ts'
import type { Json } from '../../../domain/json.ts'
import { PlatformError } from '../../../errors.ts'

/** A change with what its author has seen of what it changes. */
export type Expecting<Change> = Change & {
  /** The change is made only where these fields are as given (AG121). @default not compared */
  readonly expected?: Change
}

const textOf = (value: unknown): string => canonicalJson((value ?? null) as Json)

/**
 * Refuses a change of something that is not what its author has seen, so that nobody overwrites what somebody else has
 * written meanwhile (AG121). Only the given fields are compared. @throws CONTENT_CHANGED
 */
export function refuseChanged(current: object, expected: object | undefined): void {
  if (expected === undefined) return
  const changed = Object.entries(expected).flatMap(([field, value]) =>
    value === undefined || textOf(Reflect.get(current, field)) === textOf(value) ? [] : [field],
  )
  if (changed.length === 0) return
  const message = `Somebody else has changed ${changed.join(', ')}; read it again, and decide which is to stay.`
  throw new PlatformError('CONTENT_CHANGED', message, { body: { changed } })
}
