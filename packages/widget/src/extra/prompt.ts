import { element } from '../launcher/element.ts'
import type { Launched } from '../launcher/part.ts'
import { inTab } from '../launcher/tab.ts'
import { EXTRA_STYLE } from './style.ts'
import { wordsOf } from './words.ts'

/** Shows a prompt next to the launcher. Pressing it opens the chat; the button after it dismisses it. */
function say({ bubble, host, root }: Launched, words: string): void {
  if (bubble.dataset.said === undefined) {
    const style = new CSSStyleSheet()
    style.replaceSync(EXTRA_STYLE)
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, style]
  }
  bubble.textContent = ''
  if (words === '') return
  element(bubble, 'button', { dir: 'auto' }).textContent = words
  element(bubble, 'button', { 'aria-label': wordsOf(host.lang).close }).textContent = '×'
}

/** Shows a prompt, unless it was dismissed in this tab. */
export function prompt(launched: Launched, text: string): void {
  const { bubble, host, name } = launched
  const key = `${name}.prompt`
  const words = inTab(tab => tab.getItem(key)) === text ? '' : text
  const isFirst = bubble.dataset.said === undefined
  say(launched, words)
  answer(launched)
  bubble.dataset.said = words
  // A prompt that the visitor followed is not shown again in this tab.
  if (isFirst) host.addEventListener('colloquy-open', () => keep(launched))
}

/** Shows that the chat is not available. Unlike a prompt, it is not dismissed. */
export function trouble(launched: Launched): void {
  say(launched, wordsOf(launched.host.lang).trouble)
  answer(launched)
  launched.bubble.dataset.said = ''
}

function keep({ bubble, name }: Launched): void {
  const { said } = bubble.dataset
  if (said) inTab(tab => tab.setItem(`${name}.prompt`, said))
  bubble.textContent = ''
}

function answer(launched: Launched): void {
  const { bubble, button, open } = launched
  const leave = (): void => {
    keep(launched)
    button?.focus()
  }
  bubble.onclick = ({ target }) => (target === bubble.firstChild ? open() : leave())
  bubble.onkeydown = ({ key }) => {
    if (key === 'Escape') leave()
  }
}
