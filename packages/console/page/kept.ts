import { effect, type Signal, signal } from '@preact/signals'

/**
 * Returns a choice of the person that this device keeps. Where the browser keeps nothing it holds until the page is
 * left.
 *
 * @param read gives the choice back that a kept text stands for; null if it stands for none
 */
export function kept<Value extends string>(
  name: string,
  read: (text: string | null) => Value,
): Signal<Value> {
  const key = `colloquy-console-${name}`
  const stored = (): string | null => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  const value = signal(read(stored()))
  effect(() => {
    try {
      localStorage.setItem(key, value.value)
    } catch {
      // Storage is full, or not allowed.
    }
  })
  return value
}
