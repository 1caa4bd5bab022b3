/** A function of a part of a store. */
export type Method = (...args: unknown[]) => unknown

/**
 * A part of a store with each of its methods, those of its groups too, in place of which `wrap` puts another one.
 *
 * @param wrap gets the method and its name, in a group with the group's before it: `records.list`
 */
export function eachMethod<Part extends object>(
  part: Part,
  wrap: (call: Method, name: string) => Method,
  before = '',
): Part {
  return new Proxy(part, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key)
      const name = `${before}${String(key)}`
      if (typeof member === 'object' && member !== null) return eachMethod(member, wrap, `${name}.`)
      if (typeof member !== 'function') return member
      return wrap((...args) => Reflect.apply(member, target, args), name)
    },
  })
}
