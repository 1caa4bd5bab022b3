/**
 * Parses a query string into an object. A parameter that is given once is a string, a repeated one an array of strings
 * in the order given. Never throws: a malformed percent sign stands for itself.
 */
export function parseQuery(query: string): Readonly<Record<string, string | readonly string[]>> {
  if (query === '') return {}
  const values = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(query)) {
    const earlier = values.get(name)
    if (earlier === undefined) values.set(name, [value])
    else earlier.push(value)
  }
  const single = [...values].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? '') : all] as const)
  return Object.fromEntries(single)
}
