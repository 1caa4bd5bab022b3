const HALF_A_PAIR = /\p{Surrogate}/u

/**
 * Returns a name for Redis. Its names are UTF-8, which has no half of a surrogate pair: one with a half is written in
 * ASCII, so that no two names become one.
 */
export const distinctName = (name: string): string =>
  HALF_A_PAIR.test(name) ? `\0${JSON.stringify(name)}` : name
