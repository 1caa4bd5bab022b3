/** True for what `await` would wait for. */
const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

/**
 * Calls a function of the host whose outcome does not matter (EM1): what it throws, or rejects with, goes to `failed`
 * and no further. To the types an asynchronous function is a listener as well.
 */
export function callHost(call: () => unknown, failed: (error: unknown) => void): void {
  try {
    const outcome = call()
    if (isThenable(outcome)) Promise.resolve(outcome).catch(failed)
  } catch (error) {
    failed(error)
  }
}
