/** True for what `await` would wait for. */
const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

/**
 * Calls a function of the host whose outcome does not matter (EM1): what it throws, or rejects with, goes to `failed`
 * and no further. To the types an asynchronous function is a listener as well.
 */
export function callHost(call: () => unknown, failed: (error: unknown) => void): void {
  try {
    ignoreOutcome(call(), failed)
  } catch (error) {
    failed(error)
  }
}

/**
 * Returns the answer of a host's function that must answer at once (EM1).
 *
 * @param what its name in the error: `ids.uuid must return a string`
 * @throws TypeError for an answer that does not fit. If it is a promise, its rejection is ignored
 */
export function fitting<Result>(
  answer: unknown,
  fits: (answer: unknown) => answer is Result,
  what: string,
): Result {
  if (fits(answer)) return answer
  ignoreOutcome(answer, () => undefined)
  throw new TypeError(`${what}.`)
}

/** Returns the part of {@link callHost} that comes after the call, for those who make no function for each call. */
export function ignoreOutcome(outcome: unknown, failed: (error: unknown) => void): void {
  if (isThenable(outcome)) Promise.resolve(outcome).catch(failed)
}
