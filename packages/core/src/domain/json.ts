/** A value that JSON can carry. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject

/** An object that JSON can carry. */
export interface JsonObject {
  readonly [key: string]: Json
}
