import { startOf } from '../domain/cut-text.ts'
/** Returns a value for an error message; only its type if it may be long. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${startOf(value, 60)}…` : value)
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  return typeof value === 'function' ? 'a function' : String(value)
}
