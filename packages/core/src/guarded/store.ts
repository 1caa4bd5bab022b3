import type { Store } from '../ports/store/store.ts'

/**
 * A part of the store, groups and all, whose calls reject with what they throw: no caller has to guard against both
 * (EM1).
 */
function guardPart<Part extends object>(part: Part): Part {
  const guarded = new WeakMap<object, unknown>()
  const guard = (member: object): unknown => {
    if (typeof member !== 'function') return guardPart(member)
    return (...args: unknown[]): unknown => {
      try {
        return Reflect.apply(member, part, args)
      } catch (error) {
        return Promise.reject(error)
      }
    }
  }
  return new Proxy(part, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function' && (typeof member !== 'object' || member === null)) return member
      const known = guarded.get(member) ?? guard(member)
      guarded.set(member, known)
      return known
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
