const encoder = new TextEncoder()

/** How many bytes a text has as UTF-8. */
export const utf8Bytes = (text: string): number => encoder.encode(text).length

/** How many bytes of UTF-8 a value's JSON has. */
export const jsonBytes = (value: unknown): number => utf8Bytes(JSON.stringify(value))
