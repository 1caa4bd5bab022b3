import type { McpServer } from './options.ts'
import type { Conceal } from './result.ts'

/** Shorter values are no secrets, and would be found in every text. */
const SHORTEST = 8

/** Removes the host's secrets from everything that comes back from a server (MC15). */
export function createConcealing(server: McpServer): {
  readonly conceal: Conceal
  /** Values that are known from now on. */
  add(values: Iterable<string>): void
} {
  const secrets = new Set<string>()
  function add(values: Iterable<string>): void {
    for (const value of values)
      for (const part of [value, ...value.split(' ')]) if (part.length >= SHORTEST) secrets.add(part)
  }
  if ('url' in server) add(new URL(server.url).searchParams.values())
  else add(Object.values(server.env ?? {}))
  return {
    add,
    conceal: text => {
      let shown = text
      for (const secret of secrets) shown = shown.replaceAll(secret, '[concealed]')
      return shown
    },
  }
}
