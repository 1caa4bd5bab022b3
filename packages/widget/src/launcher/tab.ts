/** Uses the storage of the tab. Null if a page may store nothing. */
export const inTab = <Kept>(use: (storage: Storage) => Kept): Kept | null => kept(() => use(sessionStorage))

/** Uses what a page keeps. Null if it may keep nothing. */
export function kept<Kept>(use: () => Kept): Kept | null {
  try {
    return use()
  } catch {
    return null
  }
}
