import type { Json } from '@colloquy/core'
import type { RuntimePart } from '@colloquy/core/runtime'
import type { Tool } from 'ai'
import type { TurnContext } from '../turn-context.ts'

/** The outcome of a tool call. */
export interface ToolOutcome {
  /** Result that the model reads in the next request. */
  readonly result: Json
  /** Null when the call did what it was for. */
  readonly error: string | null
  /** True when the turn needs nothing more of the model. */
  readonly concluded: boolean
}

/** A tool that the model may call. */
export interface AgentTool {
  /** As the model knows it. */
  readonly name: string
  readonly definition: Tool
  /** True when a call does something; false when it only finds out. */
  readonly acts: boolean
  /** Carries a call out, and yields what it does to the turn. `input` fits the definition's schema. */
  run(context: TurnContext, input: unknown): AsyncGenerator<RuntimePart, ToolOutcome>
}

/** Returns a call that did what it was for; the model goes on. */
export const done = (result: Json): ToolOutcome => ({ result, error: null, concluded: false })
/** Returns a call that did nothing. The model gets the error, and goes on. */
export const refused = (error: string): ToolOutcome => ({ result: null, error, concluded: false })
/** A call with which the turn is over. */
export const CONCLUDED: ToolOutcome = { result: null, error: null, concluded: true }
