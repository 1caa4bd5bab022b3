import { z } from 'zod'
import { parseAsync } from '../../../domain/parse.ts'
import { PlatformError } from '../../../errors.ts'
import type { AgentFunction, FunctionConversation } from '../../../ports/agent-function.ts'
import { refuseUnknown } from '../../../shared/refuse-unknown.ts'

/** A function of the host: what it does, what it takes, and how. */
export interface FunctionDefinition<Parameters extends z.ZodObject> {
  /** What it does, in words for those who decide when to call it, such as language models. */
  readonly description: string
  /** The arguments; those of a function without any are `z.object({})`. Language models read its descriptions (FN2). */
  readonly parameters: Parameters
  /** Milliseconds that a call may take, below `Settings.turnDeadline`. @default `Settings.functionTimeout` */
  readonly timeout?: number
  /** Whether it may be called in test runs, where a test case gives no result in its place (TE13). @default false */
  readonly callInTests?: boolean
  /**
   * Does it. `args` are what `parameters` made of the arguments. What it returns is shown to the agent and must be
   * JSON, or undefined, which is null (FN23); what it throws becomes the call's error. `signal` aborts when the call's
   * time is over, and when no one waits for it any more: at the turn's deadline, and when the session ends (FN20,
   * FN22).
   */
  execute(
    conversation: FunctionConversation,
    args: z.output<Parameters>,
    signal: AbortSignal,
  ): Promise<unknown> | unknown
}

/**
 * What {@link defineFunction} makes: ready for `PlatformOptions.functions`, and `execute` still as it was, for tests.
 */
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
 * What stands in the place of an object schema of zod 4; null for one. Other copies of zod 4 are told by what all of
 * them have.
 */
function wrongParameters(given: unknown): string | null {
  if (typeof given !== 'object' || given === null) return given === null ? 'null' : typeof given
  if (has(given, '_zod')) return has(given, 'shape') ? null : 'a schema of zod that is no object'
  if (has(given, '_def')) return 'a schema of zod 3'
  return has(given, 'type', 'properties', '$schema') ? 'a JSON Schema' : 'a plain object of schemas'
}

/** @throws SCHEMA_VALIDATION_FAILED naming what is wrong with a definition, and what is wanted (EM4) */
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
 * A function that agents may call, with arguments typed and checked by its schema (FN1).
 *
 * @throws SCHEMA_VALIDATION_FAILED for parameters that are no object schema of zod 4, and for a field that there is not
 *   (EM4)
 */
export function defineFunction<Parameters extends z.ZodObject>(
  definition: FunctionDefinition<Parameters>,
): DefinedFunction<Parameters> {
  checkDefinition(definition)
  const { parameters } = definition
  return {
    ...definition,
    describeParameters() {
      // What a caller has to give; draft 7 is what providers of language models take.
      const { $schema: _, ...schema } = z.toJSONSchema(parameters, { io: 'input', target: 'draft-7' })
      return z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(schema)))
    },
    async prepare(args) {
      const parsed = await parseAsync(parameters, args, 'argument')
      return (conversation, signal) => definition.execute(conversation, parsed, signal)
    },
  }
}
