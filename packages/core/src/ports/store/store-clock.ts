/** The time by which all processes over a store go, such as that of its server. */
export interface StoreClock {
  /** Milliseconds since the epoch, a whole number. Does not throw. May step, in either direction. */
  now(): number
}
