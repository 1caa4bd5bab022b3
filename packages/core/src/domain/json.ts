/** A value that JSON can carry. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject

/** An object that JSON can carry. */
export interface JsonObject {
  readonly [key: string]: Json
}

/** True for arrays. */
export const isJsonArray = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)

/** True for objects: neither null nor an array. */
export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
