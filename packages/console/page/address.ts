/** The current place in the console: the part of the address after the `#`. */
export interface Route {
  /** `#/agents/PROJECT-A` is `['agents', 'PROJECT-A']`. */
  readonly path: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

/** Parameters of the address. Undefined and empty values count as missing. */
export type Query = Readonly<Record<string, string | undefined>>

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Parses the fragment of the URL. */
export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?', 2)
  return {
    path: path
      .split('/')
      .filter(part => part !== '')
      .map(decoded),
    query: Object.fromEntries(new URLSearchParams(query)),
  }
}

/** Returns the address of a place; what is undefined or empty in its query is left out. */
export function href(path: readonly string[], query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value ? [[name, value]] : [],
  )
  const text = new URLSearchParams(given).toString()
  return `#/${path.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`
}
