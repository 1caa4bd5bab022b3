const encoder = new TextEncoder()

/** How many bytes of UTF-8 a value's JSON has. */
export const jsonBytes = (value: unknown): number => encoder.encode(JSON.stringify(value)).length
