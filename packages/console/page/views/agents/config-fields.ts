/** Kind of a variable of a real-time config. */
export type Kind = 'text' | 'number' | 'boolean' | 'choice' | 'json'

/** A variable as the form shows it. */
export interface ConfigField {
  readonly name: string
  readonly kind: Kind
  /** Label: the title of its schema, or its name. */
  readonly label: string
  /** Hint from its schema. */
  readonly hint: string | null
  /** The values of a choice. */
  readonly choices: readonly string[]
  /** Current value; undefined if it has none. */
  readonly value: unknown
}

type Plain = Readonly<Record<string, unknown>>

const asPlain = (value: unknown): Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Plain) : {}

const textOr = <Otherwise>(value: unknown, otherwise: Otherwise): string | Otherwise =>
  typeof value === 'string' ? value : otherwise

const KINDS: Readonly<Record<string, Kind>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
}

const areTexts = (values: readonly unknown[]): values is readonly string[] =>
  values.every(value => typeof value === 'string')

/** Returns the kind that a schema asks for; what it does not settle the value does. */
function kindOf(schema: Plain, value: unknown): Kind {
  if (Array.isArray(schema.enum)) return areTexts(schema.enum) ? 'choice' : 'json'
  const wanted = KINDS[textOr(schema.type, value === undefined ? '' : typeof value)] ?? 'json'
  const isOther = value !== undefined && (KINDS[typeof value] ?? 'json') !== wanted
  return isOther ? 'json' : wanted
}

const BOUNDS = { minimum: '≥', exclusiveMinimum: '>', maximum: '≤', exclusiveMaximum: '<' } as const

/** Returns the description and the bounds in a schema. */
function hintOf(schema: Plain): string | null {
  const bounds = Object.entries(BOUNDS).flatMap(([keyword, sign]) =>
    typeof schema[keyword] === 'number' ? [`${sign} ${schema[keyword]}`] : [],
  )
  return [textOr(schema.description, ''), bounds.join(', ')].filter(part => part !== '').join(' ') || null
}

/** Returns the variables of a config: those of its schema, in its order, then all others that have a value. */
export function fieldsOf(schema: unknown, variables: Plain): readonly ConfigField[] {
  const properties = asPlain(asPlain(schema).properties)
  const names = new Set([...Object.keys(properties), ...Object.keys(variables)])
  return [...names].map(name => {
    const own = asPlain(Object.hasOwn(properties, name) ? properties[name] : {})
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined
    return {
      ...{ name, value, kind: kindOf(own, value) },
      ...{ label: textOr(own.title, name), hint: hintOf(own) },
      choices: Array.isArray(own.enum) && areTexts(own.enum) ? own.enum : [],
    }
  })
}

/** Returns a value as its field has it; `""` for none. */
export function writtenOf({ kind, value }: Pick<ConfigField, 'kind' | 'value'>): string {
  if (value === undefined) return ''
  return kind === 'json' ? JSON.stringify(value, null, 2) : String(value)
}

/**
 * Parses a field's text; undefined for no value.
 *
 * @throws SyntaxError if it is no value of its kind
 */
export function readValue(kind: Kind, text: string): unknown {
  if (text.trim() === '') return undefined
  if (kind === 'text' || kind === 'choice') return text
  const value: unknown = JSON.parse(text)
  if (kind !== 'json' && typeof value !== kind) throw new SyntaxError(`This is no ${kind}.`)
  return value
}
