/** Reads JSON that this store wrote itself from a value of that type. */
export const fromJson = <T>(text: string): T => JSON.parse(text)

/** {@link fromJson}, where null stands for null. */
export const fromJsonOrNull = <T>(text: string | null): T | null => (text === null ? null : JSON.parse(text))
