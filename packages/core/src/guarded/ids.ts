import type { Ids } from '../ports/ids.ts'
import type { Settings } from '../settings/settings.ts'
import { systemIds } from '../system/system.ts'

/** The host's ids, which never fail (EM1): where they do, random ones of the process take their place. */
export function guardIds(ids: Ids, onError: Settings['onError']): Ids {
  const guarded = (method: keyof Ids) => (): string => {
    try {
      const id: unknown = ids[method]()
      if (typeof id === 'string' && id !== '') return id
      // An asynchronous one that rejects must not end the process.
      Promise.resolve(id).catch(() => undefined)
      throw new TypeError(`ids.${method} must return a string that is not empty.`)
    } catch (error) {
      onError(error, 'ids')
      return systemIds[method]()
    }
  }
  return { uuid: guarded('uuid'), short: guarded('short'), secret: guarded('secret') }
}
