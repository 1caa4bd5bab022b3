import { element } from './element.ts'
import { type ChatOptions, nameOf } from './options.ts'
import type { ChatModule, ChatPart, Frame } from './part.ts'
import { LAUNCHER_STYLE } from './style.ts'
import { inTab } from './tab.ts'

/** A chat in a page. */
export interface Chat {
  /** The element of the chat. What happens is told by events of it, which bubble: see `ChatEvents`. */
  readonly element: HTMLElement
  readonly isOpen: boolean
  /** How many messages came that the visitor has not seen. */
  readonly unread: number
  /** Opens the chat. The first time its file is loaded, and the server is asked for a session. */
  open(): Promise<void>
  close(): void
  /** Says something for the visitor, in the open chat. Where there is something to agree to, it is said after that. */
  send(text: string): Promise<void>
  /** Shows the launcher. A button of the page's own is the page's to show and to hide. */
  showLauncher(): void
  hideLauncher(): void
  /** Draws the visitor's eye to the launcher for two seconds. Visitors who want reduced motion see nothing of it. */
  animateLauncher(how: LauncherAnimation): void
  /**
   * Shows a text in a bubble beside the launcher, which opens the chat when it is pressed. Not over an open chat, and
   * not again in a tab where the visitor has dismissed that text or opened the chat from it. An empty text takes it
   * away.
   */
  prompt(text: string): void
  /** Hears an event of the element until `off` is called with the same listener. */
  on<Name extends keyof ChatEvents>(event: Name, listener: ChatListener<Name>): void
  off<Name extends keyof ChatEvents>(event: Name, listener: ChatListener<Name>): void
  /** Takes the chat away: nothing of it is left in the page. The conversation stays, and goes on with the next one. */
  destroy(): void
}

/** How a launcher moves: up and down, larger and back, or fading and back. */
export type LauncherAnimation = 'bounce' | 'grow' | 'pulse'

/** What hears an event of a chat. */
export type ChatListener<Name extends keyof ChatEvents> = (event: CustomEvent<ChatEvents[Name]>) => void

/** What the element of a chat tells, and with which `detail`. */
export interface ChatEvents {
  /** The chat is in the page, and may be opened. Told once, right after the script that mounts it. */
  readonly 'colloquy-ready': { readonly chat: Chat }
  readonly 'colloquy-open': object
  readonly 'colloquy-close': object
  /** The visitor said something. */
  readonly 'colloquy-send': { readonly text: string }
  /** The agent or a live agent said something, complete. */
  readonly 'colloquy-message': { readonly from: 'agent' | 'live agent'; readonly text: string }
  /** The visitor said how the conversation was, 1 to 5, and why if at all. */
  readonly 'colloquy-rating': { readonly score: number; readonly comment: string }
  readonly 'colloquy-unread': { readonly count: number }
  /** How the conversation stands: a `Status` of the client. */
  readonly 'colloquy-status': { readonly status: string }
  /** Whether the host's `verifiedContext` gave a token. */
  readonly 'colloquy-context': { readonly verified: boolean }
  /** The page is to bring the visitor to a person by its own means. */
  readonly 'colloquy-handoff': { readonly queue: string; readonly route: string }
}

/** What is said before there are any other words: that the chat's file cannot be had, and what closes the bubble. */
const WORDS = {
  en: ['Chat unavailable.', 'Close'],
  de: ['Chat nicht verfügbar.', 'Schließen'],
  fr: ['Chat non disponible.', 'Fermer'],
  es: ['Chat no disponible.', 'Cerrar'],
  ar: ['المحادثة غير متاحة.', 'إغلاق', 'محادثة'],
} as const

/** What is kept of a chat until its tab is closed. */
const OPEN = 'open'
const CLOSED = ''

let mounted = 0

/**
 * Puts a chat into a page: its launcher alone. All else is loaded when it is opened.
 *
 * @param load loads the file of the chat, or of what puts it into a frame; it is asked again after a failure
 */
export function mount(place: Element, options: ChatOptions, load: () => Promise<ChatModule>): Chat {
  const inside = options.layout === 'inside'
  const name = nameOf(options)
  const openKey = `${name}.open`
  const promptKey = `${name}.prompt`
  const tongue =
    [options.language ?? navigator.languages]
      .flat()
      .map(tag => tag.slice(0, 2).toLowerCase())
      .find((tag): tag is keyof typeof WORDS => tag in WORDS) ?? 'en'
  const { layout, side, theme } = options
  const id = `colloquy-chat-${++mounted}`
  const host = element(place, 'colloquy-chat', { id, lang: tongue, layout, side, theme })
  const root = host.attachShadow({ mode: 'open' })
  const style = new CSSStyleSheet()
  style.replaceSync(LAUNCHER_STYLE)
  root.adoptedStyleSheets = [style]

  const [trouble, close, label = 'Chat'] = WORDS[tongue]
  const own = options.launcher
  const launcher = own || inside ? null : element(root, 'button', { class: 'launcher', 'aria-label': label })
  const button = own ?? launcher
  const count = launcher && element(launcher, 'span', { class: 'count', 'aria-hidden': 'true' })
  const set = (attribute: string, value: string): void => button?.setAttribute(`aria-${attribute}`, value)
  set('haspopup', 'dialog')
  set('controls', own ? id : 'panel')
  set('expanded', 'false')
  const bubble = element(root, 'div', { class: 'prompt', role: 'status' })

  let part: Promise<ChatPart> | null = null
  let running: ChatPart | null = null
  let isOpen = false
  let unread = 0
  let gone = false

  const tell = (event: string, detail: object): void => {
    host.dispatchEvent(new CustomEvent(`colloquy-${event}`, { bubbles: true, composed: true, detail }))
  }
  const frame: Frame = {
    options,
    name,
    host,
    root,
    button,
    tell,
    opened(now) {
      isOpen = now
      set('expanded', `${now}`)
      if (!inside) inTab(tab => tab.setItem(openKey, now ? OPEN : CLOSED))
      tell(now ? 'open' : 'close', {})
    },
    unread(now, words) {
      if (now === unread) return
      unread = now
      if (count !== null) {
        count.textContent = `${now || ''}`
        set('label', now === 0 ? label : `${label}, ${words}`)
      }
      tell('unread', { count: now })
    },
  }

  /** Says something beside the launcher: pressing it opens the chat, the button after it takes it away. */
  function say(text: string): void {
    bubble.textContent = ''
    if (text === '') return
    element(bubble, 'button', { dir: 'auto' }).textContent = text
    element(bubble, 'button', { 'aria-label': close }).textContent = '×'
  }

  /** What is taken away is not shown again in this tab. */
  function dismiss(): void {
    const said = bubble.firstChild?.textContent
    if (said && said !== trouble) inTab(tab => tab.setItem(promptKey, said))
    say('')
  }

  async function chat(): Promise<ChatPart> {
    set('busy', 'true')
    dismiss()
    try {
      part ??= load().then(async ({ startChat }) => {
        running = await startChat(frame)
        if (gone) running.destroy()
        return running
      })
      return await part
    } catch (error) {
      part = null
      say(trouble)
      throw error
    } finally {
      button?.removeAttribute('aria-busy')
    }
  }

  const open = async (focus: boolean): Promise<void> => (await chat()).open(focus)
  // What went wrong is said beside the button.
  const tryToOpen = (focus: boolean): void => void open(focus).catch(() => {})
  const toggle = (): void => (isOpen ? running?.close() : tryToOpen(true))
  function leave(): void {
    dismiss()
    button?.focus()
  }
  const hide = (isHidden: boolean): void => void launcher?.toggleAttribute('hidden', isHidden)
  const self: Chat = {
    element: host,
    get isOpen() {
      return isOpen
    },
    get unread() {
      return unread
    },
    open: () => open(true),
    close: () => running?.close(),
    async send(text) {
      const ready = await chat()
      ready.open(true)
      ready.send(text)
    },
    showLauncher: () => hide(false),
    hideLauncher: () => hide(true),
    animateLauncher(how) {
      if (launcher === null) return
      // What has been drawn without it begins anew.
      launcher.style.animationName = ''
      void launcher.offsetWidth
      launcher.style.animationName = how
    },
    prompt(text) {
      if (!isOpen && !inside && inTab(tab => tab.getItem(promptKey)) !== text) say(text)
    },
    on: host.addEventListener.bind(host),
    off: host.removeEventListener.bind(host),
    destroy() {
      gone = true
      running?.destroy()
      button?.removeEventListener('click', toggle)
      for (const name of ['haspopup', 'controls', 'expanded', 'busy']) own?.removeAttribute(`aria-${name}`)
      host.remove()
    },
  }
  bubble.onclick = ({ target }) => (target === bubble.firstChild ? toggle() : leave())
  bubble.onkeydown = ({ key }) => {
    if (key === 'Escape') leave()
  }
  button?.addEventListener('click', toggle)
  hide(options.showIcon === false)
  if (inside || (inTab(tab => tab.getItem(openKey)) ?? options.autoOpen)) tryToOpen(false)
  else self.prompt(options.prompt ?? '')
  queueMicrotask(() => tell('ready', { chat: self }))
  return self
}
