import { h, type View } from '../h.ts'
import { markdown } from '../markdown.ts'
import type { Words } from '../words/en.ts'

/** Paths of the icons, in a square of 24. */
const ICONS = {
  close: 'M6 6l12 12M18 6L6 18',
  menu: 'M5 12h.1M12 12h.1M19 12h.1',
  send: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  sent: 'M5 13l4 4L19 7',
} as const

/** Returns a drawing that says nothing to a screen reader. */
export const drawing = (kind: string, d: string): View =>
  h('svg', { class: `icon ${kind}`, viewBox: '0 0 24 24', 'aria-hidden': 'true' }, h('path', { d }))

export const icon = (name: keyof typeof ICONS): View => drawing(name, ICONS[name])

/** Words for screen readers alone. */
export const unseen = (words: string): View => h('span', { class: 'unseen' }, words)

/** Returns a button that is a drawing. */
export const iconButton = (
  drawn: View,
  label: string,
  onclick: () => void,
  more: Readonly<Record<string, string>> = {},
): View =>
  h('button', { type: 'button', class: 'round', 'aria-label': label, title: label, onclick, ...more }, drawn)

/** Returns a button with words. */
export const button = (words: string, onclick: () => void, kind = 'plain'): View =>
  h('button', { type: 'button', class: `button ${kind}`, onclick }, words)

/**
 * Reports whether a key belongs to a word that is being composed. For the key that ends it, Safari shows that only by
 * its code.
 */
export const isComposing = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229

const clock = new Map<string, Intl.DateTimeFormat>()

/** Returns a moment in words of a language: formats are costly to make. */
export function moment(timestamp: string, language: string, parts: 'time' | 'day'): string {
  const key = `${language} ${parts}`
  const format =
    clock.get(key) ??
    new Intl.DateTimeFormat(
      language,
      parts === 'time' ? { timeStyle: 'short' } : { weekday: 'long', day: 'numeric', month: 'long' },
    )
  clock.set(key, format)
  return timestamp === '' ? '' : format.format(new Date(timestamp))
}

/** Returns the words for the author of a message. */
export const speakerOf = (
  { from, name }: { readonly from: string; readonly name: string },
  words: Words,
): string => (from === 'visitor' ? words.you : name || (from === 'agent' ? words.agent : words.person))

/** Renders the text of a message: an agent's as Markdown, a visitor's as typed. The direction follows its words. */
export const bubble = ({ from, text }: { readonly from: string; readonly text: string }): View =>
  text !== '' &&
  h('div', { class: 'bubble' }, h('div', { dir: 'auto' }, from === 'visitor' ? text : markdown(text)))

/** Returns a line of words beside the messages. */
export const strip = (kind: string, words: string, ...more: readonly View[]): View =>
  h('div', { key: kind, class: `strip ${kind}` }, h('span', {}, words), ...more)
