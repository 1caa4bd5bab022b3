import type { ChatOptions } from '../launcher/options.ts'

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

/** Returns the page that live agents see, without query and fragment. What the option `page` says takes precedence. */
export const pageFor = ({ page, showPage = true }: ChatOptions): NonNullable<ChatOptions['page']> | null =>
  page ?? (showPage ? { url: location.origin + location.pathname, title: document.title } : null)
