import { fieldsOf, text } from '../messaging/fields.ts'
import { unreadable } from './api-error.ts'

/** Parameters of path and query by name, and the body. */
export type Input = Readonly<Record<string, unknown>>

/** Returns the server's address with a slash at its end. @throws TypeError */
export function serverOf(server: string): string {
  // The message leaves the address out: it may hold a password.
  if (!/^https?:\/\/[^\s?#@]+$/i.test(server))
    throw new TypeError('`server` must be an http(s) address without `?`, `#`, `@`.')
  return server.replace(/([^/])\/*$/, '$1/')
}

/** Returns the address of a call below the server's. @throws TypeError when a parameter of the path is missing */
export function addressOf(server: string, operation: string, path: string, input: Input): string {
  const { body: _, ...query }: Record<string, unknown> = input
  const place = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = query[name]
    delete query[name]
    // Dots alone would be taken for steps between folders.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
      throw new TypeError(`${operation}: \`${name}\` must be a text, not empty or dots.`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams()
  for (const [name, values] of Object.entries(query))
    for (const value of [values].flat()) if (value !== undefined) search.append(name, String(value))
  return `${server}${place}${search.size > 0 ? `?${search}` : ''}`
}

/** Returns the input for the next page; null after the last. @throws ApiError for a page that leads to itself */
export function pageAfter(operation: string, page: unknown, input: Input): Input | null {
  const fields = fieldsOf(page)
  const cursor = text(fields, 'next_cursor') || text(fields, 'cursor')
  // NaN is neither less nor more than a number.
  const offset = Number(fields.next_offset ?? Number.NaN)
  if (cursor ? cursor === input.cursor : offset <= Number(input.offset ?? 0))
    throw unreadable(operation, 'a page leads to itself.')
  if (cursor) return { ...input, cursor, offset: undefined }
  return offset > 0 ? { ...input, offset } : null
}
