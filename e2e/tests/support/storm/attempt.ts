/** What a request has come to. */
export interface Answer {
  readonly status: number
  readonly json: unknown
}

/** Pause before a request is made again, and how long one may take, milliseconds. */
const PAUSE = 50
const PATIENCE = 10_000

/** One attempt. Null: nobody knows whether it arrived, or the server says that it could not do it now. */
export async function attempt(
  url: string,
  {
    body,
    ...options
  }: { readonly method: string; readonly headers: Record<string, string>; readonly body?: unknown },
): Promise<Answer | null> {
  try {
    const response = await fetch(url, {
      ...options,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE),
    })
    const text = await response.text()
    // 408: it waited in a connection while the node stood still, and was not read.
    if (response.status < 500 && response.status !== 408)
      return { status: response.status, json: text === '' ? null : JSON.parse(text) }
  } catch {
    // The next attempt will tell.
  }
  await new Promise(resolve => setTimeout(resolve, PAUSE))
  return null
}
