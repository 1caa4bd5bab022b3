import * as z from 'zod'
import { parseAsync } from '../../../domain/parse.ts'
import { PlatformError } from '../../../errors.ts'
import type { AgentFunction, FunctionConversation } from '../../../ports/agent-function.ts'
import { refuseUnknown } from '../../../shared/refuse-unknown.ts'

/** A function of the host: its description, parameters and implementation. */
export interface FunctionDefinition<Parameters extends z.ZodObject> {
  /** The purpose of the function, for the runtime (such as a language model) that decides when to call it. */
  readonly description: string
  /** The arguments; those of a function without any are `z.object({})`. Language models read its descriptions (FN2). */
  readonly parameters: Parameters
  /** Milliseconds that a call may take, below `Settings.turnDeadline`. @default `Settings.functionTimeout` */
  readonly timeout?: number
  /** Whether test runs may call it when the test case gives no result for it (TE13). @default false */
  readonly callInTests?: boolean
  /**
   * Runs the function. `args` is the output of `parameters`. The result is shown to the agent and must be JSON.
   * Undefined becomes null (FN23). A thrown error becomes the call's error. `signal` aborts at the call's timeout, at
   * the turn's deadline and when the session ends (FN20).
   */
  execute(
    conversation: FunctionConversation,
    args: z.output<Parameters>,
    signal: AbortSignal,
  ): Promise<unknown> | unknown
}

/** The result of {@link defineFunction}: ready for `PlatformOptions.functions`, with `execute` unchanged, for tests. */
export type DefinedFunction<Parameters extends z.ZodObject> = AgentFunction & FunctionDefinition<Parameters>

const FIELDS: Readonly<Record<keyof FunctionDefinition<z.ZodObject>, true>> = {
  description: true,
  parameters: true,
  timeout: true,
  callInTests: true,
  execute: true,
}

const has = (value: object, ...names: readonly string[]): boolean => names.some(name => name in value)

/**
 * Names a value that is not an object schema of zod 4; null for one that is. Recognised by its properties, because a
 * host may have another copy of zod 4.
 */
function wrongParameters(given: unknown): string | null {
  if (typeof given !== 'object' || given === null) return given === null ? 'null' : typeof given
  if (has(given, '_zod')) return has(given, 'shape') ? null : 'a schema of zod that is no object'
  if (has(given, '_def')) return 'a schema of zod 3'
  return has(given, 'type', 'properties', '$schema') ? 'a JSON Schema' : 'a plain object of schemas'
}

/** @throws SCHEMA_VALIDATION_FAILED naming what is wrong with a definition, and what is allowed (EM4) */
function checkDefinition(definition: unknown): void {
  const refusal = (message: string): PlatformError => new PlatformError('SCHEMA_VALIDATION_FAILED', message)
  refuseUnknown('defineFunction', definition, Object.keys(FIELDS))
  const { parameters, execute } = { parameters: undefined, execute: undefined, ...Object(definition) }
  const wrong = wrongParameters(parameters)
  if (wrong !== null) {
    const wanted =
      'an object schema of zod 4, for example z.object({ nights: z.int() }), or z.object({}) for none'
    throw refusal(`parameters of defineFunction must not be ${wrong}. Wanted: ${wanted}.`)
  }
  if (typeof execute !== 'function') throw refusal('execute of defineFunction must be a function.')
}

/**
 * Defines a function that agents may call, with arguments typed and checked by its schema (FN1).
 *
 * @throws SCHEMA_VALIDATION_FAILED for parameters that are not an object schema of zod 4, and for an unknown field
 * (EM4)
 */
export function defineFunction<Parameters extends z.ZodObject>(
  definition: FunctionDefinition<Parameters>,
): DefinedFunction<Parameters> {
  checkDefinition(definition)
  const { parameters } = definition
  return {
    ...definition,
    describeParameters() {
      // The schema of the input, not of the output; providers of language models accept draft 7.
      const { $schema: _, ...schema } = z.toJSONSchema(parameters, { io: 'input', target: 'draft-7' })
      return z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(schema)))
    },
    async prepare(args) {
      const parsed = await parseAsync(parameters, args, 'argument')
      return (conversation, signal) => definition.execute(conversation, parsed, signal)
    },
  }
}
