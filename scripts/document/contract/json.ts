/** The text at a place in parsed JSON. @throws Error where there is none */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = path.reduce<unknown>((at, name) => Reflect.get(Object(at), name), value)
  if (typeof found === 'string') return found
  throw new Error(`There is no text at ${path.join('.')} of ${JSON.stringify(value)}.`)
}
