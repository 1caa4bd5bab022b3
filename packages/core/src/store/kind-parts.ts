import type { Column } from './documents.ts'

/** A column of text. */
export const text = <T>(of: (value: T) => string | null): Column<T> => ({ type: 'text', of })

/** A column of whole numbers. */
export const number = <T>(of: (value: T) => number | null): Column<T> => ({ type: 'number', of })

/** The version that a value carries itself. */
export const version = (value: { readonly version: number }): number => value.version

/** The id of a document that is found by several values together. */
export const idOf = (...parts: readonly (string | number)[]): string => JSON.stringify(parts)
