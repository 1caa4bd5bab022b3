import { type ChatElement, chatsOfPage } from './chat-element.ts'
import { element } from './element.ts'
import { type ChatOptions, nameOf } from './options.ts'
import type { ChatModule, ChatPart, ExtraModule, Frame, Launched, LauncherAnimation } from './part.ts'
import { LAUNCHER_STYLE } from './style.ts'
import { inTab, kept } from './tab.ts'

/** A chat in a page. */
export interface Chat {
  /** The element of the chat. It emits events, which bubble: see `ChatEvents`. */
  readonly element: HTMLElement
  readonly isOpen: boolean
  /** Number of messages that the visitor has not seen. */
  readonly unread: number
  /** Opens the chat. The first time its file is loaded, and the server is asked for a session. */
  open(): Promise<void>
  close(): void
  /** Sends a message for the visitor, in the open chat. If consent is needed, it is sent after that. */
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
  /** Adds a listener to an event of the element, until `off` is called with the same one. */
  on<Name extends keyof ChatEvents>(event: Name, listener: ChatListener<Name>): void
  off<Name extends keyof ChatEvents>(event: Name, listener: ChatListener<Name>): void
  /**
   * Sets the visitor's identity, like the option `identity`: null for nobody. If it changes, their session is ended,
   * and nothing of it is left on the device.
   */
  identify(identity: string | null): Promise<void>
  /**
   * Ends the conversation and removes all data of the visitor from the device, as when they sign out. A floating chat
   * closes, and starts a new conversation when it is opened. One inside an element starts at once.
   */
  forget(): Promise<void>
  /** Removes the chat from the page completely. The conversation stays, and goes on with the next chat. */
  destroy(): void
}

/** Listener for an event of a chat. */
export type ChatListener<Name extends keyof ChatEvents> = (event: CustomEvent<ChatEvents[Name]>) => void

/** Events of a chat's element, with their `detail`. */
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
  /** The status of the conversation: a `Status` of the client. */
  readonly 'colloquy-status': { readonly status: string }
  /** Whether the host's `verifiedContext` gave a token. */
  readonly 'colloquy-context': { readonly verified: boolean }
  /** The page is to bring the visitor to a person by its own means. */
  readonly 'colloquy-handoff': { readonly queue: string; readonly route: string }
}

/** The first of a list of languages that the launcher speaks. */
const SPOKEN = /(?:^|,)(en|de|fr|es|ar)\b/

let mounted = 0

/** Loads what the launcher does not have. Both are asked again after a failure. */
export interface Load {
  /** The file of the chat, or of what puts it into a frame. */
  chat(): Promise<ChatModule>
  extra(): Promise<ExtraModule>
}

/**
 * Adds a chat to a page: its launcher only. The rest is loaded when it is needed. If the page already has a chat of
 * that name, returns that one. A chat that the page removes releases its resources, and starts again when it is added
 * back. A floating chat adds itself back, so it stays while pages are swapped.
 */
export function mount(place: Element, given: ChatOptions, load: Load): Chat {
  // The name goes by what the page says: the same on all its pages.
  const name = nameOf(given)
  const chats = chatsOfPage()
  const known = chats.get(name)
  if (known) {
    if (!known.element.isConnected) place.append(known.element)
    return known
  }
  const options = { ...given, server: new URL(given.server, document.baseURI).href }
  const { layout, side, theme } = options
  const inside = layout === 'inside'
  const openKey = `${name}.open`
  const [, tongue = 'en'] = SPOKEN.exec(`${options.language ?? navigator.languages}`.toLowerCase()) ?? []
  const id = `colloquy-chat-${++mounted}`
  const host: ChatElement = element(new DocumentFragment(), 'colloquy-chat', {
    ...{ id, lang: tongue, layout, side, theme },
  })
  const root = host.attachShadow({ mode: 'open' })
  const style = new CSSStyleSheet()
  style.replaceSync(LAUNCHER_STYLE)
  root.adoptedStyleSheets = [style]

  const label = tongue === 'ar' ? 'محادثة' : 'Chat'
  const own = options.launcher
  const launcher = own || inside ? null : element(root, 'button', { class: 'launcher', 'aria-label': label })
  const button = own ?? launcher
  const count = launcher && element(launcher, 'span', { class: 'count', 'aria-hidden': 'true' })
  const set = (attribute: string, value: string): void => button?.setAttribute(`aria-${attribute}`, value)
  set('haspopup', 'dialog')
  set('controls', own ? id : 'panel')
  const bubble = element(root, 'div', { class: 'prompt', role: 'status' })

  let part: Promise<ChatPart> | null = null
  let running: ChatPart | null = null
  let isOpen = false
  let unread = 0
  let gone = false
  let listening: AbortController | null = null

  const tell = (event: string, detail: object): void => {
    host.dispatchEvent(new CustomEvent(`colloquy-${event}`, { bubbles: true, composed: true, detail }))
  }
  const frame: Frame & Launched = {
    options,
    name,
    host,
    root,
    button,
    bubble,
    open: () => toggle(),
    tell,
    opened(now) {
      isOpen = now
      set('expanded', `${now}`)
      if (!inside) inTab(tab => tab.setItem(openKey, now ? 'open' : ''))
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

  /** Releases everything that was loaded. */
  function rest(): void {
    listening?.abort()
    running?.destroy()
    part = running = null
    isOpen = false
    set('expanded', 'false')
  }

  async function chat(): Promise<ChatPart> {
    set('busy', 'true')
    listening?.abort()
    bubble.textContent = ''
    part ??= load.chat().then(({ startChat }) => startChat(frame))
    const mine = part
    try {
      const started = await mine
      if (gone || part !== mine) started.destroy()
      else running = started
      return started
    } catch (error) {
      if (part === mine) part = null
      // First the sign that needs no other file, then words.
      bubble.textContent = '⚠'
      void withExtra(({ trouble }) => trouble(frame))
      console.warn('[colloquy]', error)
      throw error
    } finally {
      button?.removeAttribute('aria-busy')
    }
  }

  const open = async (focus: boolean): Promise<void> => (await chat()).open(focus)
  // The error is shown beside the button.
  const tryToOpen = (focus: boolean): void => void open(focus).catch(() => {})
  const toggle = (): void => (isOpen ? running?.close() : tryToOpen(true))
  const withExtra = (use: (extra: ExtraModule['extra']) => void): Promise<void> =>
    load
      .extra()
      .then(({ extra }) => use(extra))
      .catch(() => {})
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
    animateLauncher: how => void withExtra(({ animate }) => launcher && animate(launcher, how)),
    prompt: text => void withExtra(({ prompt }) => isOpen || inside || prompt(frame, text)),
    on: host.addEventListener.bind(host),
    off: host.removeEventListener.bind(host),
    identify: async identity => (await chat()).identify(identity),
    forget: async () => (await chat()).identify(),
    destroy() {
      gone = true
      chats.delete(name)
      rest()
      button?.removeEventListener('click', toggle)
      for (const name of ['haspopup', 'controls', 'expanded', 'busy']) own?.removeAttribute(`aria-${name}`)
      host.remove()
    },
  }
  host.came = () => {
    if (inside || (inTab(tab => tab.getItem(openKey)) ?? options.autoOpen)) tryToOpen(false)
    else {
      if (options.prompt) self.prompt(options.prompt)
      if (options.storage || kept(() => localStorage.getItem(`${name}:session`))) {
        const ends = new AbortController()
        listening = ends
        void withExtra(({ listen }) => listen(frame, ends.signal))
      }
    }
  }
  host.left = () => {
    rest()
    queueMicrotask(() => {
      if (!gone && !inside && !host.isConnected) document.body.append(host)
    })
  }
  button?.addEventListener('click', toggle)
  hide(options.showIcon === false)
  chats.set(name, self)
  rest()
  place.append(host)
  queueMicrotask(() => tell('ready', { chat: self }))
  return self
}
