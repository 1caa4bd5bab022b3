import { millisecondsInDay } from 'date-fns/constants'
import * as z from 'zod'

/** The unit of a number in a setting. Null if its name says it. */
export type Unit = 'milliseconds' | 'seconds' | 'bytes' | 'characters' | null

/** The description of a setting beside its check: for its type's comment, the reference page and refusals. */
export interface SettingInfo {
  /** The description of the setting: sentences in Markdown. */
  readonly doc: string
  /** Its type in TypeScript. */
  readonly type: string
  /** The words after "must be". */
  readonly allowed: string
  readonly unit: Unit
  /** The default in words, where the value alone does not say it. */
  readonly defaultText?: string
  /** Both ends of what a number may be. */
  readonly range?: Range
  /** The fields of an object. */
  readonly shape?: Readonly<Record<string, z.ZodType>>
  /**
   * Whether its fields are settings of their own, with defaults; `type` is then the name of an interface.
   * @default false
   */
  readonly group?: boolean
  /** The elements of a list, and the values of an object of any names. */
  readonly items?: z.ZodType
  /** Never repeated where it is refused. @default false */
  readonly secret?: boolean
}

/** The range of a number, both ends included. */
export interface Range {
  readonly from: number
  readonly to: number
  /** Also between whole numbers. @default false */
  readonly fractions?: boolean
}

/** The description of each setting, by its schema. */
export const SETTING_INFO: WeakMap<z.ZodType, SettingInfo> = new WeakMap()

/** Describes a schema. */
export function about<Schema extends z.ZodType>(schema: Schema, info: SettingInfo): Schema {
  SETTING_INFO.set(schema, info)
  return schema
}

/** Returns a setting that is `value` where the host gives none. */
export const setting = <Schema extends z.ZodType>(
  schema: Schema,
  value: z.core.util.NoUndefined<z.output<Schema>>,
  info: SettingInfo,
): z.ZodDefault<Schema> => about(z._default(schema, value), info)

const allowedIn = ({ from, to, fractions = false }: Range): string =>
  `a ${fractions ? '' : 'whole '}number from ${from} to ${to}`

const checks = new Map<string, z.ZodNumber>()

/** Returns a number of that range, for a setting that needs a check of its own. */
export const numeric = ({ from, to, fractions = false }: Range): z.ZodNumber =>
  z.number().check(...(fractions ? [] : [z.int()]), z.gte(from), z.lte(to))

/** Returns the same, one for all settings of a range: each schema that is made costs the start of a process. */
function sharedNumeric(range: Range): z.ZodNumber {
  const key = JSON.stringify(range)
  const known = checks.get(key) ?? numeric(range)
  checks.set(key, known)
  return known
}

/** Returns the description of a number of that range. */
export const numberInfo = (range: Range, doc: string, unit: Unit): SettingInfo => ({
  ...{ doc, unit, range },
  ...{ type: 'number', allowed: allowedIn(range) },
})

/** Returns a setting that is a number (EM4). */
export const number = (
  value: number,
  range: Range,
  doc: string,
  unit: Unit = null,
): z.ZodDefault<z.ZodNumber> => setting(sharedNumeric(range), value, numberInfo(range, doc, unit))

/** Returns the same setting, which may also be null. */
export const orNull = (info: SettingInfo, meaning = 'null'): SettingInfo => ({
  ...info,
  type: `${info.type} | null`,
  allowed: `${info.allowed}, or ${meaning}`,
})

/** Ten years, in milliseconds. */
const LONGEST = 3650 * millisecondsInDay

/** A time of at least a millisecond. */
export const TIME: Range = { from: 1, to: LONGEST }

/** A time, or 0 for none. */
export const TIME_OR_NONE: Range = { from: 0, to: LONGEST }

/** Returns a time of at least a millisecond. */
export const time = (value: number, doc: string): z.ZodDefault<z.ZodNumber> =>
  number(value, TIME, doc, 'milliseconds')

/** Returns a time, or 0 for none. */
export const timeOrNone = (value: number, doc: string): z.ZodDefault<z.ZodNumber> =>
  number(value, TIME_OR_NONE, doc, 'milliseconds')

/** Returns a time in seconds, as it is sent to clients. */
export const seconds = (value: number, doc: string): z.ZodDefault<z.ZodNumber> =>
  number(value, { from: 1, to: 1_000_000_000 }, doc, 'seconds')

/** The longest string that the JavaScript engine allows. */
const SIZE: Range = { from: 1, to: 536_870_888 }

/** Returns a size in bytes. */
export const bytes = (value: number, doc: string): z.ZodDefault<z.ZodNumber> =>
  number(value, SIZE, doc, 'bytes')

/** A length of text. */
export const characters = (
  value: number,
  doc: string,
  range: Partial<Range> = {},
): z.ZodDefault<z.ZodNumber> => number(value, { ...SIZE, ...range }, doc, 'characters')

/** Returns a number of things. */
export const count = (
  value: number,
  doc: string,
  { from = 1, to = 1_000_000_000 }: Partial<Range> = {},
): z.ZodDefault<z.ZodNumber> => number(value, { from, to }, doc)

/** On or off; off where the host does not say. */
export const flag = (doc: string, isOn = false): z.ZodDefault<z.ZodBoolean> =>
  setting(z.boolean(), isOn, { doc, type: 'boolean', allowed: 'true or false', unit: null })

const quoted = (words: readonly string[], quote: string): readonly string[] =>
  words.map(word => `${quote}${word}${quote}`)

/** One of a few words; the first is the default. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words, doc: string) =>
  setting(z.enum<Words>(words), words[0], {
    ...{ doc, unit: null },
    type: quoted(words, "'").join(' | '),
    allowed: quoted(words, '"').join(' or '),
  })

/** Returns a function of the host's. */
export const functionOf = <Type>() => z.custom<Type>(value => typeof value === 'function')

/** The description of a group of settings: its interface's name, and what it is for. */
interface GroupInfo {
  readonly type: string
  readonly doc: string
  /** The default in words, where those of its fields do not say it. */
  readonly defaultText?: string
}

/** Settings that belong together. Missing fields have their defaults, field by field; unknown fields are refused. */
export function group<Shape extends Readonly<Record<string, z.ZodType>>>(
  info: GroupInfo,
  shape: Shape,
  expand: (given: unknown) => unknown = given => given,
) {
  const schema = z.preprocess(given => (given === undefined ? {} : expand(given)), z.strictObject(shape))
  return about(schema, { ...info, shape, group: true, allowed: 'an object of options', unit: null })
}
