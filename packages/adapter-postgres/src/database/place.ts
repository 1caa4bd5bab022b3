/** Returns the server as messages name it: without user and password. */
export function placeOf(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return `${hostname || 'the local server'}${port === '' ? '' : `:${port}`}${pathname === '/' ? '' : pathname}`
}
