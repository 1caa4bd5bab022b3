import { Ajv, type Options, type ValidateFunction } from 'ajv'
import { PlatformError } from '../../errors.ts'
import { canonicalJson } from '../canonical-json.ts'
import type { Json, JsonObject } from '../json.ts'
import { FORMATS } from './formats.ts'
import { createMeter, type Meter, TooManySteps } from './meter.ts'
import type { Pattern } from './patterns.ts'
import { prepareSchema, STEP } from './prepare-schema.ts'
import { problemsOf } from './problems.ts'
import { REAL_TIME_CONFIG_LIMITS as LIMITS } from './real-time-config.ts'

/** Says what in the variables does not fit the schema: each place with what is allowed there; nothing when they fit. */
export type SchemaCheck = (variables: JsonObject) => readonly string[]

const META_SCHEMA = 'http://json-schema.org/draft-07/schema'

/** A tenth of a step for each instruction of a regular expression and character of the text. */
const PATTERN_STEP = 0.1

const OPTIONS: Options = {
  allErrors: true,
  verbose: true,
  // What stands at `constructor` or `toString` counts only when the value has it itself.
  ownProperties: true,
  // A reference stays a call: written out at each place, references to references would grow without bound.
  inlineRefs: false,
  // What strict mode is after is checked while the schema is prepared, with messages of our own; strict mode would also try
  // regular expressions with the engine of the language.
  strict: false,
  logger: false,
}

/** Replaces rules whose cost in ajv grows faster than what they look at, and adds the meter's. */
function withOwnKeywords(ajv: Ajv, meter: Meter): Ajv {
  const textOf = (value: Json): string => {
    const text = canonicalJson(value)
    meter.take(text.length * PATTERN_STEP)
    return text
  }
  for (const keyword of ['enum', 'const', 'uniqueItems']) ajv.removeKeyword(keyword)
  return ajv
    .addKeyword({
      keyword: 'enum',
      schemaType: 'array',
      compile(allowed: readonly Json[]) {
        const texts = new Set(allowed.map(canonicalJson))
        return (value: Json) => texts.has(textOf(value))
      },
    })
    .addKeyword({
      keyword: 'const',
      compile(allowed: Json) {
        const text = canonicalJson(allowed)
        return (value: Json) => text === textOf(value)
      },
    })
    .addKeyword({
      keyword: 'uniqueItems',
      type: 'array',
      schemaType: 'boolean',
      validate: (unique: boolean, items: readonly Json[]) =>
        !unique || new Set(items.map(textOf)).size === items.length,
    })
    .addKeyword({
      keyword: STEP,
      schemaType: 'number',
      before: '$ref',
      errors: false,
      // Always true, but not declared so (`valid: true`): ajv would leave out a call that cannot fail.
      validate(weight: number, value: Json) {
        meter.take(weight + sizeOf(value))
        return true
      },
    })
}

function sizeOf(value: Json): number {
  if (typeof value === 'string') return value.length * PATTERN_STEP
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

/** The regular expressions of a schema as ajv asks for them, metered. */
function engineOf(patterns: ReadonlyMap<string, Pattern>, meter: Meter) {
  const engine = (source: string) => {
    const pattern = patterns.get(source)
    if (pattern === undefined) throw new Error(`The regular expression ${source} was not prepared.`)
    return {
      test(text: string) {
        meter.take((text.length + 1) * pattern.size * PATTERN_STEP)
        return pattern.test(text)
      },
      // Tells one regular expression from another in the compiled code.
      toString: () => source,
    }
  }
  return Object.assign(engine, { code: 'patterns' })
}

let metaCheck: ValidateFunction | undefined

/** What the meta-schema of draft 7 says about a schema. */
function metaProblems(schema: JsonObject): readonly string[] {
  metaCheck ??= withOwnKeywords(new Ajv(OPTIONS), createMeter(Number.POSITIVE_INFINITY)).getSchema(
    META_SCHEMA,
  )
  return metaCheck === undefined || metaCheck(schema) ? [] : takeProblems(metaCheck)
}

/** What the last check found. It is not kept: errors hold on to the values in which they were found. */
function takeProblems(check: ValidateFunction): readonly string[] {
  const { errors } = check
  check.errors = null
  return problemsOf(errors ?? [])
}

const invalid = (reasons: readonly string[]): PlatformError =>
  new PlatformError('REAL_TIME_CONFIG_INVALID_SCHEMA', `The schema is not valid: ${reasons.join('; ')}.`)

function compile(schema: JsonObject, meter: Meter): ValidateFunction {
  const reasons = metaProblems(schema)
  if (reasons.length > 0) throw invalid(reasons)
  const prepared = prepareSchema(schema)
  if (!('schema' in prepared)) throw invalid(prepared)
  // An instance of its own: nothing that one schema names or counts is seen by another.
  // Not optimized: that costs more than all checks of most schemas.
  const code = { regExp: engineOf(prepared.patterns, meter), optimize: false }
  const ajv = new Ajv({ ...OPTIONS, code, formats: { ...FORMATS }, meta: false, validateSchema: false })
  try {
    return withOwnKeywords(ajv, meter).compile(prepared.schema)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw invalid(['its references go too deep'])
  }
}

/**
 * Compiles a JSON Schema of draft 7 (AG62 to AG65). Nothing outside of it is read, and no check takes more than `LIMITS.steps` steps, whatever the
 * schema and the variables: a check that would is told like any other problem.
 *
 * @throws REAL_TIME_CONFIG_INVALID_SCHEMA naming each place and what is allowed there
 */
export function compileSchema(schema: JsonObject): SchemaCheck {
  const meter = createMeter(LIMITS.steps)
  const validate = compile(schema, meter)
  return variables => {
    meter.start()
    try {
      return validate(variables) ? [] : takeProblems(validate)
    } catch (error) {
      if (!(error instanceof TooManySteps || error instanceof RangeError)) throw error
      return [
        `checking them takes more than ${LIMITS.steps} steps: make the schema simpler or the values shorter`,
      ]
    }
  }
}
