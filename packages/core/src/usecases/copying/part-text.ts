/**
 * Returns a part as one text, whichever store it comes from: JSON with an object's fields in the order of their names.
 * Undefined fields are left out. In one pass, since everything in two stores goes through it.
 */
export function partText(part: unknown): string {
  if (part === null || typeof part !== 'object') return JSON.stringify(part) ?? 'null'
  if (Array.isArray(part)) return `[${part.map(partText).join(',')}]`
  const fields: Readonly<Record<string, unknown>> = { ...part }
  let text = ''
  for (const name of Object.keys(fields).sort()) {
    const value = fields[name]
    if (value === undefined) continue
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${partText(value)}`
  }
  return `{${text}}`
}
