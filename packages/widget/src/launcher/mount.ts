import { type ChatOptions, nameOf } from './options.ts'
import type { ChatModule, ChatPart, Frame } from './part.ts'
import { LAUNCHER_STYLE } from './style.ts'

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
  /** Takes the chat away: nothing of it is left in the page. The conversation stays, and goes on with the next one. */
  destroy(): void
}

/** What the element of a chat tells, and with which `detail`. */
export interface ChatEvents {
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

/** What is said where the chat's file cannot be had, before there are any other words. */
const TROUBLE: Readonly<Record<string, string>> = {
  en: 'The chat could not be loaded. Try again.',
  de: 'Der Chat wurde nicht geladen. Versuchen Sie es erneut.',
  fr: 'Le chat n’a pas pu être chargé. Réessayez.',
  es: 'No se pudo cargar el chat. Inténtelo de nuevo.',
  ar: 'تعذّر تحميل المحادثة. حاول مرة أخرى.',
}

let mounted = 0

const element = (parent: Node, tag: string, attributes: Readonly<Record<string, string>>): Element => {
  const made =
    tag === 'svg' || tag === 'path'
      ? document.createElementNS('http://www.w3.org/2000/svg', tag)
      : document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  parent.appendChild(made)
  return made
}

/** Whether a chat was open is known until its tab is closed. Where a page may keep nothing, it begins closed. */
const remembered = {
  read(key: string): boolean {
    try {
      return sessionStorage.getItem(key) !== null
    } catch {
      return false
    }
  },
  write(key: string, isOpen: boolean): void {
    try {
      if (isOpen) sessionStorage.setItem(key, '')
      else sessionStorage.removeItem(key)
    } catch {
      // It begins closed.
    }
  },
}

/**
 * Puts a chat into a page: its launcher alone. All else is loaded when it is opened.
 *
 * @param load loads the file of the chat, or of what puts it into a frame; it is asked again after a failure
 */
export function mount(place: Element, options: ChatOptions, load: () => Promise<ChatModule>): Chat {
  const inside = options.layout === 'inside'
  const name = nameOf(options)
  const openKey = `${name}.open`
  const host = document.createElement('colloquy-chat')
  mounted += 1
  host.id = `colloquy-chat-${mounted}`
  for (const key of ['layout', 'side', 'theme'] as const) host.setAttribute(key, options[key] ?? '')
  const root = host.attachShadow({ mode: 'open' })
  const style = new CSSStyleSheet()
  style.replaceSync(LAUNCHER_STYLE)
  root.adoptedStyleSheets = [style]

  const wanted = options.language === undefined ? navigator.languages : [options.language]
  const tongue = wanted.map(tag => tag.slice(0, 2).toLowerCase()).find(tag => tag in TROUBLE) ?? 'en'
  const label = tongue === 'ar' ? 'محادثة' : 'Chat'
  host.lang = tongue
  const own = options.launcher ?? null
  const button =
    own ??
    (inside
      ? null
      : (element(root, 'button', { class: 'launcher', type: 'button', part: 'launcher' }) as HTMLElement))
  const count =
    own === null && button !== null
      ? element(button, 'span', { class: 'count', 'aria-hidden': 'true' })
      : null
  const said = element(root, 'div', { class: 'trouble', role: 'status' })
  if (own === null && button !== null) {
    button.setAttribute('aria-label', label)
    const drawing = element(button, 'svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' })
    element(drawing, 'path', { d: 'M21 11.5a8.5 8 0 0 1-12 7.3L3 20l2-5A8.5 8 0 1 1 21 11.5z' })
  }
  button?.setAttribute('aria-haspopup', 'dialog')
  button?.setAttribute('aria-controls', own === null ? 'panel' : host.id)
  button?.setAttribute('aria-expanded', 'false')

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
      if (now === isOpen) return
      isOpen = now
      button?.setAttribute('aria-expanded', String(now))
      if (!inside) remembered.write(openKey, now)
      tell(now ? 'open' : 'close', {})
    },
    unread(now, words) {
      if (now === unread) return
      unread = now
      if (count !== null) {
        count.textContent = now === 0 ? '' : String(now)
        button?.setAttribute('aria-label', now === 0 ? label : `${label}, ${words}`)
      }
      tell('unread', { count: now })
    },
  }

  async function chat(): Promise<ChatPart> {
    button?.setAttribute('aria-busy', 'true')
    said.textContent = ''
    try {
      part ??= load().then(async ({ startChat }) => {
        running = await startChat(frame)
        if (!gone) return running
        running.destroy()
        throw new Error('The chat was destroyed.')
      })
      return await part
    } catch (error) {
      part = null
      if (!gone) said.textContent = TROUBLE[tongue] ?? ''
      throw error
    } finally {
      button?.removeAttribute('aria-busy')
    }
  }

  const open = async (focus: boolean): Promise<void> => (await chat()).open(focus)
  // What went wrong is said beside the button.
  const toggle = (): void => (isOpen ? running?.close() : void open(true).catch(() => {}))
  button?.addEventListener('click', toggle)
  place.appendChild(host)
  if (inside || remembered.read(openKey)) void open(false).catch(() => {})

  return {
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
    destroy() {
      gone = true
      running?.destroy()
      button?.removeEventListener('click', toggle)
      for (const name of ['haspopup', 'controls', 'expanded', 'busy']) own?.removeAttribute(`aria-${name}`)
      host.remove()
    },
  }
}
