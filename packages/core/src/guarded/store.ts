import type { Store } from '../ports/store/store.ts'
import { nextTurn } from '../system/system.ts'

/** Called in many steps: after each of them other work gets its turn (EM12). */
const IN_STEPS: ReadonlySet<string> = new Set([
  'eventPage',
  'intervals.list',
  'removals.removeFinished',
  'turnVectors.next',
])

/** True for the last page of a log, as most pages are: no further page is read. */
const isLast = (page: unknown): boolean =>
  typeof page === 'object' && page !== null && 'events' in page && 'more' in page && page.more === false

/** A step's answer, once others have had their turn. */
async function afterOthers(answer: unknown): Promise<unknown> {
  const step = await answer
  if (!isLast(step)) await nextTurn()
  return step
}

/**
 * Returns a part of the store, groups and all, whose calls reject with what they throw: no caller has to guard against
 * both (EM1).
 */
function guardPart<Part extends object>(part: Part, path = ''): Part {
  const guarded = new WeakMap<object, unknown>()
  const guard = (member: object, name: string): unknown => {
    if (typeof member !== 'function') return guardPart(member, `${path}${name}.`)
    const inSteps = IN_STEPS.has(path + name)
    return (...args: unknown[]): unknown => {
      try {
        const answer: unknown = Reflect.apply(member, part, args)
        return inSteps ? afterOthers(answer) : answer
      } catch (error) {
        return Promise.reject(error)
      }
    }
  }
  return new Proxy(part, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function' && (typeof member !== 'object' || member === null)) return member
      const known = guarded.get(member)
      if (known !== undefined) return known
      const made = guard(member, String(name))
      guarded.set(member, made)
      return made
    },
  })
}

/**
 * Returns the host's store, which never throws but rejects (EM1), and leaves others their turn between two steps
 * (EM12).
 */
export const guardStore = (store: Store): Store => ({
  agents: guardPart(store.agents),
  conversations: guardPart(store.conversations),
  access: guardPart(store.access),
  webhooks: guardPart(store.webhooks),
  alerts: guardPart(store.alerts),
  audit: guardPart(store.audit),
  ...(store.clock === undefined ? {} : { clock: store.clock }),
  close: async () => store.close(),
})
