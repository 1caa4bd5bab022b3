import { givenText } from './texts.ts'

/** Reads JSON that this store wrote itself from a value of that type. */
export const fromJson = <T>(text: string): T => JSON.parse(text)

/** {@link fromJson}, where null stands for null. */
export const fromJsonOrNull = <T>(text: string | null): T | null => (text === null ? null : JSON.parse(text))

/** Reads a row that the server has made JSON of: its texts are as they are kept. */
export const fromJsonOfRow = <Row>(text: string): Row =>
  JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? givenText(value) : value))
