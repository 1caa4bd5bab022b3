/** Strings stored on the device, by key. */
export interface Memory {
  read(key: string): string | null
  /** Null removes it. */
  write(key: string, value: string | null): void
}

/** The page's `localStorage`. If the browser refuses to store anything, values are lost with the page. */
export const memory: Memory = {
  read(key) {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  },
  write(key, value) {
    try {
      if (value === null) localStorage.removeItem(key)
      else localStorage.setItem(key, value)
    } catch {
      // It is forgotten with the page.
    }
  },
}
