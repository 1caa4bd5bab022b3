/**
 * A port whose values are copied on their way in and on their way out, and whose calls reject once it is closed; so are
 * its groups.
 *
 * The copy out is taken one microtask after the method has run. That is safe because stores replace what they hold and
 * never change it in place.
 */
export function boundary<Port extends object>(port: Port, isClosed: () => boolean): Port {
  const groups = new Map<object, object>()
  const groupOf = (group: object): object => {
    const known = groups.get(group) ?? boundary(group, isClosed)
    groups.set(group, known)
    return known
  }
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member === 'object' && member !== null) return groupOf(member)
      if (typeof member !== 'function') return member
      return async (...args: unknown[]): Promise<unknown> => {
        if (isClosed()) throw new Error('The store is closed.')
        return structuredClone(await Reflect.apply(member, target, structuredClone(args)))
      }
    },
  })
}
