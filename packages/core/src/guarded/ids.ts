import type { Ids } from '../ports/ids.ts'
import type { Settings } from '../settings/settings.ts'
import { fitting } from '../shared/call-host.ts'
import { systemIds } from '../system/system.ts'

const isText = (id: unknown): id is string => typeof id === 'string' && id !== ''

/** Returns the host's ids, which never fail (EM1): where they do, random ones of the process take their place. */
export function guardIds(ids: Ids, onError: Settings['onError']): Ids {
  const guarded = (method: keyof Ids) => (): string => {
    try {
      return fitting(ids[method](), isText, `ids.${method} must return a string that is not empty`)
    } catch (error) {
      onError(error, 'ids')
      return systemIds[method]()
    }
  }
  return { uuid: guarded('uuid'), short: guarded('short'), secret: guarded('secret') }
}
