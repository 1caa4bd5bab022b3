/** The normal quantile of a 95 % interval. */
const Z = 1.959964

/** A share of several, with the interval that holds the true one 95 times of 100. */
export interface Estimate {
  readonly count: number
  readonly of: number
  /** `count / of`; 0 of none. */
  readonly share: number
  readonly low: number
  readonly high: number
}

/** Returns a share with Wilson's interval, which holds for few and for rare ones too. Of none it is 0 to 1. */
export function estimate(count: number, of: number): Estimate {
  if (of === 0) return { count, of, share: 0, low: 0, high: 1 }
  const share = count / of
  const scale = 1 + Z ** 2 / of
  const middle = (share + Z ** 2 / (2 * of)) / scale
  const half = (Z / scale) * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2))
  // The bounds of 0 and of all are exact: rounding must not leave them.
  return {
    ...{ count, of, share },
    low: count === 0 ? 0 : Math.max(0, middle - half),
    high: count === of ? 1 : Math.min(1, middle + half),
  }
}

/** A difference between two shares, with the interval that holds the true one 95 times of 100. */
export interface Difference {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** Returns how far the second share lies above the first, with Newcombe's interval. */
export function difference(first: Estimate, second: Estimate): Difference {
  const value = second.share - first.share
  return {
    value,
    low: value - Math.hypot(second.share - second.low, first.high - first.share),
    high: value + Math.hypot(second.high - second.share, first.share - first.low),
  }
}
