/** Uses what is kept until the tab is closed. Null where a page may keep nothing. */
export function inTab<Kept>(use: (storage: Storage) => Kept): Kept | null {
  try {
    return use(sessionStorage)
  } catch {
    return null
  }
}
