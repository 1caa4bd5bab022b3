import type { Caller } from '../../domain/audit/audit.ts'

/** Calls that take the caller as their first argument. */
export type CallsBy<Part> = {
  readonly [Name in keyof Part]: Part[Name] extends (...input: infer Input) => infer Output
    ? (caller: Caller, ...input: Input) => Output
    : never
}

/**
 * A part of the platform that is not bound to a caller yet, made once: `Act` names the calls that record their caller,
 * in the audit log or in what they write.
 */
export interface PartCalls<Part, Act extends keyof Part> {
  readonly acts: CallsBy<Pick<Part, Act>>
  /** The calls that are the same for every caller. */
  readonly common: Omit<Part, Act>
}

/**
 * The part as callers have it: a plain object, which can be taken apart, spread and listed. Binding it to a caller
 * makes one function for each act, and copies the rest.
 */
export function partFor<Part extends object, Act extends keyof Part>(
  calls: PartCalls<Part, Act>,
): (caller: Caller) => Part
export function partFor({ acts, common }: PartCalls<object, never>): (caller: Caller) => object {
  const known = Object.entries<(caller: Caller, ...input: unknown[]) => unknown>(acts)
  // A copy of what has all the names already is cheaper than adding them one by one: this is done for each request that
  // writes.
  const shape = { ...common, ...acts }
  return caller => {
    const part: Record<string, unknown> = { ...shape }
    for (const [name, act] of known) part[name] = (...input: unknown[]) => act(caller, ...input)
    return part
  }
}
