import type * as z from 'zod'
import type { Caller } from '../domain/audit/audit.ts'

/**
 * An argument: an object, whose fields messages name, or anything else under a name of its own. Objects take the fields
 * of their schema and no others (EM8).
 */
export type Argument = z.ZodType | readonly [name: string, schema: z.ZodType]

type SchemaOf<One> = One extends readonly [string, infer Schema] ? Schema : One

/** The input that callers may give: lists may be readonly. */
type Given<Value> = unknown extends Value
  ? Value
  : Value extends
        | string
        | number
        | boolean
        | null
        | undefined
        | Uint8Array
        | AbortSignal
        | ((...input: never[]) => unknown)
    ? Value
    : Value extends readonly (infer Item)[]
      ? readonly Given<Item>[]
      : { readonly [Name in keyof Value]: Given<Value[Name]> }

/** The input of a caller that a schema parses. */
export type InputOf<Schema extends z.ZodType> = Given<z.input<Schema>>

type Inputs<Arguments extends readonly Argument[]> = {
  [At in keyof Arguments]: Given<z.input<SchemaOf<Arguments[At]>>>
}
type Outputs<Arguments extends readonly Argument[]> = {
  [At in keyof Arguments]: z.output<SchemaOf<Arguments[At]>>
}

/** The ways in which a call differs from most others. */
export interface How {
  /** `iterable`: one that rejects when its first value is asked for. `now`: a value. @default a promise */
  readonly answers?: 'iterable' | 'now'
  /** Transports call it while the platform goes away. @default false */
  readonly outlasts?: true
  /** A field of undefined is a mistake of the caller, and not left out. @default false */
  readonly exact?: true
}

/**
 * A use case as the platform offers it: its input, whether it records the caller, and its function. The library's call,
 * the reference page and the errors for invalid input are made from this.
 */
export interface Call<Deps, Input extends readonly unknown[], Output> extends How {
  /** Made when the call is first made. */
  readonly input: (deps: Deps) => readonly Argument[]
  /** True where `handle` is given the caller with its dependencies. */
  readonly acts: boolean
  readonly handle: (deps: never, ...input: never) => Output
  /** There for types alone: what callers hand over. */
  readonly takes?: (...input: Input) => void
}

/** Any call, as a table of calls sees it. */
export type AnyCall = Call<never, never, unknown>

/** The calls of a part, and of the parts in it. */
export type CallTable = { readonly [name: string]: AnyCall | CallTable }

/** True for a call, false for a part within a part. */
export const isCall = (entry: AnyCall | CallTable): entry is AnyCall => typeof entry.handle === 'function'

/** A definition for each call of a part, which takes all that the part's type promises. */
export type CallsOf<Part, Deps> = {
  readonly [Name in keyof Part]: Part[Name] extends (...input: infer Input) => infer Output
    ? Call<Deps, Required<Input>, Output>
    : CallsOf<Part[Name], Deps>
}

/** Returns the words in which a part's calls are defined. `ActingDeps` is what those get that note their caller. */
export const callsWith = <Deps, ActingDeps = Deps & { readonly caller: Caller }>() => ({
  /** A call that is the same for every caller. */
  call: <const Arguments extends readonly Argument[], Output>(
    input: (deps: Deps) => Arguments,
    handle: (deps: Deps, ...input: Outputs<Arguments>) => Output,
    how: How = {},
  ): Call<Deps, Inputs<Arguments>, Output> => ({ ...how, acts: false, input, handle }),
  /** A call that notes who made it, in the audit log or in what it writes. */
  act: <const Arguments extends readonly Argument[], Output>(
    input: (deps: Deps) => Arguments,
    handle: (deps: ActingDeps, ...input: Outputs<Arguments>) => Output,
    how: How = {},
  ): Call<Deps, Inputs<Arguments>, Output> => ({ ...how, acts: true, input, handle }),
})
