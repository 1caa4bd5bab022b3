import { ENVIRONMENTS, type Environment, isEnvironment } from '../../domain/environment.ts'
import { type ErrorCode, PlatformError } from '../../errors.ts'
import { oneOf } from './one-of.ts'

/** The name of an environment. */
export const environmentSchema = oneOf(ENVIRONMENTS)

/**
 * Returns the environment that a caller names. @throws `code` for an unknown one; the message lists the `allowed` ones
 */
export function environmentOf(
  value: string | undefined,
  code: ErrorCode,
  allowed: readonly Environment[] = ENVIRONMENTS,
): Environment {
  if (value !== undefined && isEnvironment(value)) return value
  throw new PlatformError(code, `The environment must be one of ${allowed.join(', ')}.`)
}
