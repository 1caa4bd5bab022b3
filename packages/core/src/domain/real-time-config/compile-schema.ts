import { PlatformError } from '../../errors.ts'
import { canonicalJson } from '../canonical-json.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import { META_SCHEMA } from './meta-schema.ts'
import { createMeter, type Meter, TooManySteps } from './meter.ts'
import { type PreparedSchema, prepareSchema, STEP } from './prepare-schema.ts'
import { placesOf, problemsOf } from './problems.ts'
import { REAL_TIME_CONFIG_LIMITS as LIMITS } from './real-time-config.ts'
import { all, type Failure, fail, type Keyword, type Rule, type SchemaContext } from './rule.ts'
import { SCHEMA_KEYWORDS } from './schema-rules.ts'
import { VALUE_KEYWORDS } from './value-rules.ts'

/**
 * Validates variables against the schema. Returns an error for each invalid place, with what is allowed there; none if
 * they are valid.
 */
export type SchemaCheck = (variables: JsonObject) => readonly string[]

/** A tenth of a step for each instruction of a regular expression and character of the text. */
const PATTERN_STEP = 0.1

/** In the order in which problems are listed. */
const KEYWORDS: readonly (readonly [string, Keyword])[] = Object.entries({
  ...VALUE_KEYWORDS,
  ...SCHEMA_KEYWORDS,
})

function sizeOf(value: Json): number {
  if (typeof value === 'string') return value.length * PATTERN_STEP
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

const fits: Rule = () => true
const refused: Rule = (_, spot) => fail(spot, () => 'is not allowed')

/** Makes functions of a schema, and no code: that would not run where code made of text is forbidden (EM7). */
function rulesOf({ schema: root, patterns }: PreparedSchema, meter: Meter): Rule {
  const references = new Map<string, Rule>()

  const compile = (schema: Json): Rule => {
    if (!isJsonObject(schema)) return schema === false ? refused : fits
    const context: SchemaContext = { schema, compile, refer, matcher, textOf }
    const rules = KEYWORDS.flatMap(([keyword, ruleOf]) => {
      const argument = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined
      const rule = argument === undefined ? null : ruleOf(argument, context)
      return rule === null ? [] : [rule]
    })
    const weight = schema[STEP]
    if (typeof weight !== 'number') return (value, spot) => all(rules, value, spot)
    return (value, spot) => {
      meter.take(weight + sizeOf(value))
      return all(rules, value, spot)
    }
  }

  const refer = (reference: string): Rule => {
    const known = references.get(reference)
    if (known !== undefined) return known
    const name = reference.replace('#/definitions/', '')
    const { definitions } = root
    const rule = compile(name === '#' ? root : isJsonObject(definitions) ? (definitions[name] ?? true) : true)
    references.set(reference, rule)
    return rule
  }

  const matcher = (source: string) => {
    const pattern = patterns.get(source)
    if (pattern === undefined) throw new Error(`The regular expression ${source} was not prepared.`)
    return (text: string): boolean => {
      meter.take((text.length + 1) * pattern.size * PATTERN_STEP)
      return pattern.test(text)
    }
  }

  const textOf = (value: Json): string => {
    const text = canonicalJson(value)
    meter.take(text.length * PATTERN_STEP)
    return text
  }

  return refer('#')
}

/**
 * Returns the problems that a rule finds in a value. Nothing is kept, because failures hold on to the values in which
 * they were found.
 */
function problems(rule: Rule, value: Json): readonly string[] {
  const failures: Failure[] = []
  return rule(value, { place: null, propertyName: null, failures }) ? [] : problemsOf(failures)
}

let metaRule: Rule | undefined

/** Returns the problems that the meta-schema of draft 7 finds in a schema. */
function metaProblems(schema: JsonObject): readonly string[] {
  metaRule ??= rulesOf({ schema: META_SCHEMA, patterns: new Map() }, createMeter(Number.POSITIVE_INFINITY))
  return problems(metaRule, schema)
}

const invalid = (reasons: readonly string[]): PlatformError =>
  new PlatformError('REAL_TIME_CONFIG_INVALID_SCHEMA', `The schema is not valid: ${reasons.join('; ')}.`, {
    body: { about: placesOf(reasons) },
  })

function compile(schema: JsonObject, meter: Meter): Rule {
  const reasons = metaProblems(schema)
  if (reasons.length > 0) throw invalid(reasons)
  const prepared = prepareSchema(schema)
  if (!('schema' in prepared)) throw invalid(prepared)
  return rulesOf(prepared, meter)
}

/**
 * Compiles a JSON Schema of draft 7 (AG62 to AG65). Nothing outside of it is read, and no check takes more than
 * `LIMITS.steps` steps, whatever the schema and the variables: a check that would need more is a problem like any
 * other.
 *
 * @throws REAL_TIME_CONFIG_INVALID_SCHEMA naming each place and what is allowed there
 */
export function compileSchema(schema: JsonObject): SchemaCheck {
  const meter = createMeter(LIMITS.steps)
  const rule = compile(schema, meter)
  return variables => {
    meter.start()
    try {
      return problems(rule, variables)
    } catch (error) {
      if (!(error instanceof TooManySteps || error instanceof RangeError)) throw error
      return [
        `checking them takes more than ${LIMITS.steps} steps: make the schema simpler or the values shorter`,
      ]
    }
  }
}
