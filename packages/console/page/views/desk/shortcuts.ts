/**
 * What keys do at the desk. Those of one letter are held with Alt: a letter alone would be in the way of who dictates,
 * and of who writes (WCAG 2.1.4).
 */
export const SHORTCUTS = [
  { act: 'next', keys: 'Alt + N', code: 'KeyN' },
  { act: 'down', keys: 'Alt + ↓', code: 'ArrowDown' },
  { act: 'up', keys: 'Alt + ↑', code: 'ArrowUp' },
  { act: 'write', keys: 'Alt + W', code: 'KeyW' },
  { act: 'replies', keys: 'Alt + R', code: 'KeyR' },
  { act: 'leave', keys: 'Alt + L', code: 'KeyL' },
  { act: 'send', keys: 'Enter', code: null },
  { act: 'line', keys: 'Shift + Enter', code: null },
  { act: 'help', keys: '?', code: null },
] as const

type Act = (typeof SHORTCUTS)[number]['act']

interface Key {
  readonly key: string
  readonly code: string
  readonly altKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly target: unknown
}

const isField = (target: unknown): boolean =>
  ['INPUT', 'TEXTAREA', 'SELECT'].includes(String(Reflect.get(Object(target), 'tagName')))

/** What a key does anywhere at the desk; null for one that does nothing there. */
export function actOf({ key, code, altKey, ctrlKey, metaKey, target }: Key): Act | null {
  if (ctrlKey || metaKey) return null
  if (altKey) return SHORTCUTS.find(one => one.code === code)?.act ?? null
  return key === '?' && !isField(target) ? 'help' : null
}
