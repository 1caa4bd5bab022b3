/**
 * Keys of the desk. No letters, not even with Alt, which types signs on some keyboards: "@" on a German one is Option +
 * L. And none that browsers use themselves.
 */
export const SHORTCUTS = [
  { act: 'next', keys: 'F2', code: 'F2' },
  { act: 'down', keys: 'Alt + ↓', code: 'ArrowDown' },
  { act: 'up', keys: 'Alt + ↑', code: 'ArrowUp' },
  { act: 'write', keys: 'F4', code: 'F4' },
  { act: 'replies', keys: 'F8', code: 'F8' },
  { act: 'suggest', keys: 'Shift + F8', code: 'F8', isShifted: true },
  { act: 'leave', keys: 'F9', code: 'F9' },
  { act: 'slash', keys: '/', code: null },
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
  readonly shiftKey: boolean
  readonly target: unknown
}

const isField = (target: unknown): boolean =>
  ['INPUT', 'TEXTAREA', 'SELECT'].includes(String(Reflect.get(Object(target), 'tagName')))

/** Returns the action of a key anywhere at the desk; null if it has none. */
export function actOf({ key, code, altKey, ctrlKey, metaKey, shiftKey, target }: Key): Act | null {
  if (ctrlKey || metaKey) return null
  const found = SHORTCUTS.find(one => one.code === code && 'isShifted' in one === shiftKey)
  if (found !== undefined) return altKey === code.startsWith('Arrow') ? found.act : null
  if (altKey) return null
  return key === '?' && !isField(target) ? 'help' : null
}
