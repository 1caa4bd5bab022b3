/** The fields that are given: one that is undefined is not (AG37, HT40). */
export function given<Fields extends object>(fields: Fields): Fields {
  const set = { ...fields }
  for (const [name, value] of Object.entries(set)) if (value === undefined) Reflect.deleteProperty(set, name)
  return set
}
