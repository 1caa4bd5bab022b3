import { toolSchema } from '../../../domain/tool-schema.ts'
import { PlatformError } from '../../../errors.ts'
import type { AgentFunction } from '../../../ports/agent-function.ts'
import type { FunctionDescription } from '../../../ports/agent-runtime.ts'
import type { Settings } from '../../../settings/settings.ts'

/** A registered function: validated, with its time limit. */
export interface RegisteredFunction {
  readonly described: FunctionDescription
  /** Milliseconds. */
  readonly timeout: number
  readonly callInTests: boolean
  readonly prepare: AgentFunction['prepare']
}

/** The host's functions by name. */
export type FunctionRegistry = ReadonlyMap<string, RegisteredFunction>

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

/** Checks the host's functions, once (FN2, FN1). @throws SCHEMA_VALIDATION_FAILED naming the function */
export function registerFunctions(
  functions: Readonly<Record<string, AgentFunction>>,
  settings: Pick<Settings, 'functionTimeout' | 'turnDeadline'>,
): FunctionRegistry {
  return new Map(
    Object.entries(functions).map(([name, one]) => [name, registerFunction(name, one, settings)]),
  )
}

/** Checks one function (FN1). @throws SCHEMA_VALIDATION_FAILED naming it */
export function registerFunction(
  name: string,
  one: AgentFunction,
  { functionTimeout, turnDeadline }: Pick<Settings, 'functionTimeout' | 'turnDeadline'>,
): RegisteredFunction {
  const refusal = (reason: string, cause?: unknown): PlatformError =>
    new PlatformError('SCHEMA_VALIDATION_FAILED', `The function ${JSON.stringify(name)} ${reason}`, { cause })
  if (!NAME.test(name)) {
    throw refusal('must be named by a letter and up to 63 letters, digits, underscores and hyphens.')
  }
  if (typeof one?.prepare !== 'function' || typeof one.describeParameters !== 'function') {
    throw refusal('must be what defineFunction returns.')
  }
  const { description, timeout = functionTimeout } = one
  if (typeof description !== 'string' || description.trim() === '') throw refusal('must have a description.')
  if (!Number.isInteger(timeout) || timeout < 1 || timeout >= turnDeadline) {
    throw refusal(
      `must have a time limit of 1 to ${turnDeadline - 1} whole milliseconds, below turnDeadline, not ${timeout}.`,
    )
  }
  const fitted = toolSchema(parametersOf(one, refusal))
  if ('problem' in fitted) throw refusal(`has parameters that language models refuse: ${fitted.problem}.`)
  const { callInTests = false } = one
  return {
    described: { name, description, parameters: fitted.schema },
    timeout,
    callInTests,
    prepare: args => one.prepare(args),
  }
}

function parametersOf(one: AgentFunction, refusal: (reason: string, cause: unknown) => PlatformError) {
  try {
    return one.describeParameters()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw refusal(`has parameters that JSON Schema cannot describe: ${why}.`, error)
  }
}
