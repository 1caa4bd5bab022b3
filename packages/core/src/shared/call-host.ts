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

/** The part of {@link callHost} that comes after the call, for those who make no function for each call. */
export function ignoreOutcome(outcome: unknown, failed: (error: unknown) => void): void {
  if (isThenable(outcome)) Promise.resolve(outcome).catch(failed)
}
