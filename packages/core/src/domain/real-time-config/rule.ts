import type { Json, JsonObject } from '../json.ts'

/** The place of a value: the value that holds it, and its name in there. */
export interface Place {
  readonly inside: Place | null
  readonly name: string
}

/** A value, or the name of one, that does not fit. */
export interface Failure {
  /** Null at the root. */
  readonly place: Place | null
  /** The name that does not fit; null when it is the value. */
  readonly propertyName: string | null
  /** Returns the requirement. Computed when it is shown. */
  reason(): string
  /** True when it only says that there are others. */
  readonly summary: boolean
}

/** The context of a rule beside the value. */
export interface Spot {
  readonly place: Place | null
  readonly propertyName: string | null
  /** The failures that the check has found so far. */
  readonly failures: Failure[]
}

/** Returns true when the value is valid; otherwise records a failure at the spot. */
export type Rule = (value: Json, spot: Spot) => boolean

/** The context that the keywords of one schema share. */
export interface SchemaContext {
  /** The schema in which the keyword stands. */
  readonly schema: JsonObject
  compile(schema: Json): Rule
  /** The schema that a reference names, compiled when it is first needed. */
  refer(reference: string): Rule
  /** Reports whether a regular expression of the schema finds something in the text. */
  matcher(source: string): (text: string) => boolean
  /** The value as text, the same for equal values. */
  textOf(value: Json): string
}

/** Makes the rule of a keyword; null when the keyword says nothing about values. */
export type Keyword = (argument: Json, context: SchemaContext) => Rule | null

/** Records a failure, and returns false. */
export function fail({ place, propertyName, failures }: Spot, reason: () => string, summary = false): false {
  failures.push({ place, propertyName, reason, summary })
  return false
}

/** Returns the spot of a value within the value. */
export const within = (spot: Spot, name: string): Spot => ({ ...spot, place: { inside: spot.place, name } })

/** Returns true when the value follows all rules. Each rule records its own failures. */
export function all(rules: readonly Rule[], value: Json, spot: Spot): boolean {
  let fits = true
  for (const rule of rules) fits = rule(value, spot) && fits
  return fits
}

/** Forgets the failures after the first `count`. */
export function forget({ failures }: Spot, count: number): void {
  failures.length = count
}

/** True when the object has all these properties; names each that is missing. */
export function requireAll(names: readonly string[], value: JsonObject, spot: Spot): boolean {
  const missing = names.filter(name => !Object.hasOwn(value, name))
  for (const name of missing) fail(within(spot, name), () => 'is required')
  return missing.length === 0
}
