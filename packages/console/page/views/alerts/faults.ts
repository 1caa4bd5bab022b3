import { isApiError } from '@colloquy/client/http'
import { say } from './texts.ts'

/** The fields of a rule that a person can get wrong, by their names in the contract. */
const FIELDS = ['name', 'project_id', 'metric', 'operator', 'threshold_value', 'window_duration'] as const
type Field = (typeof FIELDS)[number]

/** The reason why a rule was not saved: at the fields that are wrong, and what is at none of them. */
export interface Faults {
  readonly at: Readonly<Partial<Record<Field, string>>>
  /** Null if all of it is at fields. */
  readonly rest: unknown
}

/** Returns the names of fields that a `422` names. */
const namedIn = (body: unknown): readonly string[] => {
  const detail: unknown = Reflect.get(Object(body), 'detail')
  if (!Array.isArray(detail)) return []
  return detail.map(one => {
    const loc: unknown = Reflect.get(Object(one), 'loc')
    return Array.isArray(loc) && loc[0] === 'body' ? String(loc[1]) : ''
  })
}

/** Assigns a failure of the server to the fields of the form. */
export function faultsOf(error: unknown): Faults {
  if (!isApiError(error)) return { at: {}, rest: error }
  if (error.code === 'PROJECT_NOT_FOUND') return { at: { project_id: say('fault.project_id') }, rest: null }
  const named = error.status === 422 ? namedIn(error.body) : []
  const fields = FIELDS.filter(field => named.includes(field))
  const isAll = named.length > 0 && named.every(name => FIELDS.some(field => field === name))
  return {
    at: Object.fromEntries(fields.map(field => [field, say(`fault.${field}`)])),
    rest: isAll ? null : error,
  }
}
