/**
 * A port whose values are copied on their way in and on their way out, and whose calls reject once it is closed.
 *
 * The copy out is taken one microtask after the method has run. That is safe because stores replace what they hold and
 * never change it in place.
 */
export function boundary<Port extends object>(port: Port, isClosed: () => boolean): Port {
  return new Proxy(port, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return async (...args: unknown[]): Promise<unknown> => {
        if (isClosed()) throw new Error('The store is closed.')
        return structuredClone(await Reflect.apply(method, target, structuredClone(args)))
      }
    },
  })
}
