/** JSON text of a value; a value that JSON cannot carry is the caller's mistake. */
export const toText = (value: unknown): string => JSON.stringify(value)

/** The value of JSON text that this adapter has written itself. */
export const fromText = <Value>(text: string): Value => JSON.parse(text) as Value
