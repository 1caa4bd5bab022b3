import type { ErrorObject } from 'ajv'
import { pointerOf } from '../plain-json.ts'
import { REAL_TIME_CONFIG_LIMITS as LIMITS } from './real-time-config.ts'

/** Characters of one value that a message shows. */
const SHOWN_LENGTH = 100

/** Values that a message lists. */
const SHOWN_VALUES = 10

const cut = (text: string): string => (text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text)

const shown = (value: unknown): string => cut(JSON.stringify(value))

function listed(values: readonly unknown[]): string {
  const more = values.length - SHOWN_VALUES
  return values.slice(0, SHOWN_VALUES).map(shown).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** A field of what ajv tells about an error. */
function textOf(details: object, name: string): string {
  const value: unknown = Reflect.get(details, name)
  return typeof value === 'string' ? value : ''
}

/** The names that a schema knows beside `additionalProperties: false`. */
function knownNames(schema: object | undefined): string {
  const properties: unknown = schema === undefined ? undefined : Reflect.get(schema, 'properties')
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  return names.length === 0 ? 'is not allowed' : `is not allowed, only ${listed(names)}`
}

/** Where a value stands, and what it must be. */
function describe(error: ErrorObject): string {
  const {
    keyword,
    params,
    schema,
    parentSchema,
    instancePath,
    propertyName,
    message = 'is not valid',
  } = error
  const at = (place: string, reason: string) => `${place === '' ? 'the root' : `"${cut(place)}"`} ${reason}`
  const below = (name: string) => instancePath + pointerOf([name])
  if (propertyName !== undefined)
    return at(instancePath, `has the name ${shown(propertyName)}, which ${cut(message)}`)
  switch (keyword) {
    case 'required':
    case 'dependencies':
      return at(below(textOf(params, 'missingProperty')), 'is required')
    case 'additionalProperties':
      return at(below(textOf(params, 'additionalProperty')), knownNames(parentSchema))
    case 'enum':
      return at(instancePath, `must be one of ${listed(Array.isArray(schema) ? schema : [])}`)
    case 'const':
      return at(instancePath, `must be ${shown(schema)}`)
    case 'uniqueItems':
      return at(instancePath, 'must not hold two equal items')
    case 'false schema':
      return at(instancePath, 'is not allowed')
    default:
      return at(
        instancePath,
        message.length > 2 * SHOWN_LENGTH ? `${message.slice(0, 2 * SHOWN_LENGTH)}…` : message,
      )
  }
}

/** What does not fit, each place with what is allowed there: at most `LIMITS.problems`, and whether there are more. */
export function problemsOf(errors: readonly ErrorObject[]): readonly string[] {
  // These only say that there are others.
  const telling = errors.filter(({ keyword }) => keyword !== 'if' && keyword !== 'propertyNames')
  const all = [
    ...new Set((telling.length === 0 ? errors : telling).slice(0, LIMITS.problems * 20).map(describe)),
  ]
  const named = all.slice(0, LIMITS.problems)
  return all.length > named.length ? [...named, 'and more'] : named
}
