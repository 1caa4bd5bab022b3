import type { Column } from './documents.ts'

/** Returns a column of text. */
export const text = <T>(of: (value: T) => string | null): Column<T> => ({ type: 'text', of })

/** Returns a column of whole numbers. */
export const number = <T>(of: (value: T) => number | null): Column<T> => ({ type: 'number', of })

/** Returns the version that a value carries itself. */
export const version = (value: { readonly version: number }): number => value.version

/** Returns the id of a document that is found by several values together. */
export const idOf = (...parts: readonly (string | number)[]): string => JSON.stringify(parts)
