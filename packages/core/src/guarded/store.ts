import type { Store } from '../ports/store.ts'

/** A part of the store whose calls reject with what they throw: no caller has to guard against both (EM1). */
function guardPart<Part extends object>(part: Part): Part {
  const guarded = new WeakMap<object, (...args: unknown[]) => unknown>()
  return new Proxy(part, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      const known = guarded.get(method)
      if (known !== undefined) return known
      const call = (...args: unknown[]): unknown => {
        try {
          return Reflect.apply(method, target, args)
        } catch (error) {
          return Promise.reject(error)
        }
      }
      guarded.set(method, call)
      return call
    },
  })
}

/** The host's store, which never throws but rejects (EM1). */
export const guardStore = (store: Store): Store => ({
  agents: guardPart(store.agents),
  conversations: guardPart(store.conversations),
  access: guardPart(store.access),
  webhooks: guardPart(store.webhooks),
  audit: guardPart(store.audit),
  close: async () => store.close(),
})
