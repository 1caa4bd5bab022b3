/** Reads JSON that this store wrote itself from a value of that type. */
export const fromJson = <T>(text: string): T => JSON.parse(text)
