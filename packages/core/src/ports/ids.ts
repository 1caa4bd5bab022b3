/** Randomness. Nothing else in core draws random numbers. */
export interface Ids {
  /** A random UUID, version 4. */
  uuid(): string
  /** A short random id of URL-safe letters and digits, at least 70 bits. */
  short(): string
  /** A secret of URL-safe characters, at least 190 bits. */
  secret(): string
}
