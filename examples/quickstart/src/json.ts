import { Failure } from './failure.ts'

/** Returns the value at a dotted path; undefined if there is none: `at(event, 'payload.events.0')`. */
export function at(json: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null) return undefined
    return Object.entries(value).find(([key]) => key === name)?.[1]
  }, json)
}

const wrong = (json: unknown, path: string, wanted: string) =>
  new Failure(`Expected ${wanted} at "${path}" of ${JSON.stringify(json)}`)

/** The text at a path. @throws Failure when there is none */
export function textAt(json: unknown, path: string): string {
  const value = at(json, path)
  if (typeof value !== 'string') throw wrong(json, path, 'a text')
  return value
}

/** The list at a path. @throws Failure when there is none */
export function listAt(json: unknown, path: string): readonly unknown[] {
  const value = at(json, path)
  if (!Array.isArray(value)) throw wrong(json, path, 'a list')
  return value
}
