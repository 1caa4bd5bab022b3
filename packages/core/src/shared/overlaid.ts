/** Returns a part of a host's port with some calls of its own: ports need not be plain objects. */
export const overlaid = <Part extends object>(part: Part, own: Partial<Part>): Part =>
  new Proxy(part, {
    get: (target, name): unknown => Reflect.get(Object.hasOwn(own, name) ? own : target, name),
    set: (target, name, value) => Reflect.set(Object.hasOwn(own, name) ? own : target, name, value),
  })
