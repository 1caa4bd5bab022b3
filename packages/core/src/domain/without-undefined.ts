/** Returns the fields of an object, without those that are undefined (AG30, EM4). */
export function withoutUndefined<Fields extends object>(fields: Fields): Fields {
  const set = { ...fields }
  for (const [name, value] of Object.entries(set)) if (value === undefined) Reflect.deleteProperty(set, name)
  return set
}
