import type * as z from 'zod'
import { type InputProblem, PlatformError } from '../errors.ts'
import { findTooLong } from './too-long.ts'

/** Problems named in one message; further ones are left out. */
const MAX_PROBLEMS = 5

type Issue = z.core.$ZodIssue

/** Returns the requirement that a value fails, in the words of the schema. For a union, joins that of each member. */
function reason(issue: Issue): string {
  if (issue.code !== 'invalid_union') return issue.message.replace(/^Invalid (?:input|option): /, '')
  const members = issue.errors.flatMap(issues => issues.slice(0, 1)).map(reason)
  return members.length === 0 ? issue.message : [...new Set(members)].join(', or ')
}

function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  const [key, ...rest] = path
  if (key === undefined || typeof value !== 'object' || value === null) return value === undefined
  const inner: unknown = Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
  return isMissing(inner, rest)
}

/** Returns a problem as a sentence. */
function describe(issue: Issue, input: unknown, noun: string): string {
  const name = issue.path.map(String).join('.')
  // A whole value is called `body`, its field a `body field`.
  const whole = noun.replace(/(?:(?:'s)? )?field$/, '') || 'input'
  const subject = name === '' ? `The ${whole}` : `The ${noun} "${name}"`
  const wanted = reason(issue).replace(/\.$/, '')
  if (!isMissing(input, issue.path)) return `${subject} is not valid: ${wanted}.`
  return `${subject} is required: ${wanted.replace(/, received undefined/g, '')}.`
}

/** Returns an issue as problems. Each unknown field is one of its own. */
function problemsOf(issue: Issue, input: unknown, noun: string): readonly InputProblem[] {
  const path = issue.path.map(part => (typeof part === 'number' ? part : String(part)))
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(key => ({
      ...{ noun, path: [...path, key], type: 'extra_forbidden' },
      message: 'Such a field is not allowed.',
    }))
  const missing = isMissing(input, issue.path)
  const wanted = reason(issue).replace(/\.$/, '')
  const message = `The value is ${missing ? 'required' : 'not valid'}: ${missing ? wanted.replace(/, received undefined/g, '') : wanted}.`
  return [{ noun, path, message, type: missing ? 'missing' : 'value_error' }]
}

/**
 * Parses a value at an edge.
 *
 * @param noun what the value, or a field of it, is called in messages: `body field`, `query parameter`
 * @throws SCHEMA_VALIDATION_FAILED naming each field, what was wrong with it and what is allowed
 */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  noun: string,
): z.output<Schema> {
  refuseTooLong(schema, value, noun)
  return dataOf(schema.safeParse(value), value, noun)
}

/** Parses a value with a schema whose checks may be asynchronous. @throws SCHEMA_VALIDATION_FAILED */
export async function parseAsync<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  noun: string,
): Promise<z.output<Schema>> {
  refuseTooLong(schema, value, noun)
  return dataOf(await schema.safeParseAsync(value), value, noun)
}

/** @throws SCHEMA_VALIDATION_FAILED for more items than are allowed, whatever is in them */
function refuseTooLong(schema: z.ZodType, value: unknown, noun: string): void {
  const found = findTooLong(schema, value)
  if (found === null) return
  throw refusalOf([{ ...found, code: 'custom', path: [...found.path], input: undefined }], value, noun)
}

function dataOf<Data>(result: z.ZodSafeParseResult<Data>, value: unknown, noun: string): Data {
  if (result.success) return result.data
  throw refusalOf(result.error.issues.slice(0, MAX_PROBLEMS), value, noun)
}

function refusalOf(issues: readonly Issue[], value: unknown, noun: string): PlatformError {
  const sentences = issues.map(issue => describe(issue, value, noun))
  const problems = issues.flatMap(issue => problemsOf(issue, value, noun))
  return new PlatformError('SCHEMA_VALIDATION_FAILED', [...new Set(sentences)].join(' '), { problems })
}
