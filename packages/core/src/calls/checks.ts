/** What a value must be: null for one that fits, else what is allowed, as messages say it. */
export type Check = (value: unknown) => string | null

/** An argument that is not an object of named fields: what messages call it, and what it must be. */
export type Named = readonly [name: string, check: Check]

const check =
  (allowed: string, fits: (value: unknown) => boolean): Check =>
  value =>
    fits(value) ? null : allowed

/** A string. */
export const text = check('a string', value => typeof value === 'string')

/** A number; the call says which. */
export const number = check('a number', value => typeof value === 'number')

/** A whole number that arithmetic carries on with. */
export const whole = check('a whole number', value => Number.isSafeInteger(value))

/** True or false. */
export const flag = check('true or false', value => typeof value === 'boolean')

/** A function. */
export const callback = check('a function', value => typeof value === 'function')

/** One of a set of words. */
export const word = (words: readonly string[]): Check =>
  check(`one of ${words.join(', ')}`, value => words.some(one => one === value))

/** An array, each of whose values fits. */
export const list = (of: Check): Check => {
  const allowed = of(undefined) ?? 'anything'
  return check(
    `a list, each ${allowed}`,
    value => Array.isArray(value) && value.every(one => of(one) === null),
  )
}

/** The same, or left out. */
export const optional =
  (of: Check): Check =>
  value =>
    value === undefined ? null : of(value)

/** The same, null, or left out. */
export const nullable =
  (of: Check): Check =>
  value => {
    const allowed = value === null || value === undefined ? null : of(value)
    return allowed === null ? null : `${allowed}, or null`
  }

/** An object whose fields fit. */
export const object = (allowed: string, fields: Readonly<Record<string, Check>>): Check =>
  check(
    allowed,
    value =>
      typeof value === 'object' &&
      value !== null &&
      Object.entries(fields).every(([name, of]) => of(Reflect.get(value, name)) === null),
  )
