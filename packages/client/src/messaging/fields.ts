/** An object of unknown content. */
export type Fields = Readonly<Record<string, unknown>>

/** Such an object where only fields of what it should be are read. */
export type Unread<Of> = { readonly [Name in Of extends unknown ? keyof Of : never]?: unknown }

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** Returns the fields of an object; none for anything else. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

/** Empty if it is not a text. */
export function text<Of extends Fields>(fields: Of, name: keyof Of & string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}

/** Null if it is not a finite number. */
export function number<Of extends Fields>(fields: Of, name: keyof Of & string): number | null {
  const value = fields[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

export const flag = <Of extends Fields>(fields: Of, name: keyof Of & string): boolean => fields[name] === true

/** The objects of a list; empty if it is not a list. */
export function list<Of extends Fields>(fields: Of, name: keyof Of & string): readonly Fields[] {
  const value = fields[name]
  return Array.isArray(value) ? value.filter(isFields) : []
}
