import { createHmac, timingSafeEqual } from 'node:crypto'

/** Each name with its values, in the order of the names; a value that is there twice counts once. */
function signedParameters(form: URLSearchParams): string {
  const given = new Map<string, Set<string>>()
  for (const [name, value] of form) {
    const values = given.get(name)
    if (values === undefined) given.set(name, new Set([value]))
    else values.add(value)
  }
  return [...given.keys()]
    .sort()
    .flatMap(name => [...(given.get(name) ?? [])].sort().map(value => name + value))
    .join('')
}

/**
 * Returns the signature of a request: HMAC-SHA1 over the called URL, query included, and the form's names and values,
 * in base64 (TW10).
 */
export const signatureOf = (authToken: string, url: string, form: URLSearchParams): string =>
  createHmac('sha1', authToken)
    .update(url + signedParameters(form), 'utf8')
    .digest('base64')

/** Reports whether one of the tokens has signed the request; compared in constant time (TW10). */
export function isSignedBy(
  authTokens: readonly string[],
  given: string,
  { url, form }: { readonly url: string; readonly form: URLSearchParams },
): boolean {
  const bytes = Buffer.from(given, 'utf8')
  return authTokens
    .map(token => Buffer.from(signatureOf(token, url, form), 'utf8'))
    .map(expected => expected.length === bytes.length && timingSafeEqual(expected, bytes))
    .includes(true)
}
