import { browserStorage, createMessaging, fromConnector } from '@colloquy/client/messaging'
import { SMALL } from '../launcher/covers.ts'
import type { ChatPart, Frame } from '../launcher/part.ts'
import { memory as ownMemory, pageFor } from './device.ts'
import type { Note } from './entries.ts'
import { type Acts, hasFiles, type Model, needsMore, type PartName, type Parts } from './model.ts'
import { render } from './render.ts'
import type { Shell } from './shell.ts'
import { CHAT_STYLE } from './style.ts'
import { panelView } from './view/panel.ts'
import { isComposing } from './view/parts.ts'
import { languageOf, loadWords, localeOf, say } from './words/index.ts'

/** So near to the newest message the visitor reads along, pixels. */
const NEAR = 48

const doneOf = ({ conversation: { messages } }: Model) => messages.filter(({ state }) => state === 'done')

/** Returns the client of a chat, which tells the page whether its server said who the visitor is. */
function createClient({ framedBy, name, options, tell }: Frame) {
  const { connectorToken = '', platform = 'web', server, verifiedContext } = options
  return createMessaging({
    ...options,
    platform: platform === 'web' ? platform : `${platform}-web`,
    // The page around a frame has said its own.
    page: framedBy ? (options.page ?? null) : pageFor(options),
    getToken:
      options.getToken ??
      fromConnector({ server, connectorToken, ...(framedBy && { host: framedBy.pageHost }) }),
    storage: options.storage ?? browserStorage({ name }),
    ...(framedBy && { host: framedBy.pageHost }),
    ...(verifiedContext && {
      async verifiedContext(contextId: string, identity: string | null) {
        let token: string | null = null
        try {
          token = await verifiedContext(contextId, identity)
          return token
        } finally {
          tell('context', { verified: Boolean(token) })
        }
      },
    }),
  })
}

/**
 * Starts the chat in its frame. It is long because the page, the client and the device meet here: what is shown is
 * `panelView` of one model, and nothing else is kept.
 */
export async function startChat(frame: Frame): Promise<ChatPart> {
  const { button, framedBy, host, name, options, root, tell } = frame
  const ends = new AbortController()
  const { signal } = ends
  const memory = framedBy?.memory ?? ownMemory
  const inside = options.layout === 'inside'
  const small = framedBy?.covers ?? matchMedia(SMALL)
  const covers = (): boolean => !inside && (options.renderMode === 'fullscreen' || small.matches)
  const first = languageOf([options.language ?? navigator.languages].flat())
  const firstWords = await loadWords(first)

  function addStyle(text: string): void {
    const style = new CSSStyleSheet()
    style.replaceSync(text)
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, style]
  }
  addStyle(CHAT_STYLE)
  const place = root.appendChild(document.createElement('div'))
  place.className = 'place'
  place.hidden = true

  const chat = createClient(frame)
  const keep = (what: string, value: string | null): void => memory.write(`${name}.${what}`, value)
  /** Clears the data of another identity from the device. */
  function belong(identity: string | null): void {
    if (memory.read(`${name}.of`) === identity) return
    for (const what of ['draft', 'past', 'seen']) keep(what, null)
    keep('of', identity)
    change({ draft: '', past: null, chosen: null, rating: null, notes: [] })
  }
  const { consent = null } = options
  let model: Model = {
    more: null,
    files: null,
    talk: null,
    conversation: chat.current,
    words: { ...firstWords, ...options.words },
    language: localeOf(first, options),
    title: options.title ?? null,
    logo: options.logo ?? null,
    disclaimer: options.disclaimer ?? null,
    consent: memory.read(`${name}.consent`) === consent ? null : consent,
    inside,
    fills: inside || framedBy !== undefined,
    full: covers(),
    header: options.showHeader ?? true,
    closes: options.showIcon ?? true,
    notes: [],
    menu: false,
    asking: null,
    rating: null,
    past: null,
    chosen: null,
    // An attribute is a text.
    keeps: +(options.history ?? 10),
    rates: options.rating ?? true,
    announces: false,
    away: false,
    draft: memory.read(`${name}.draft`) ?? '',
  }
  let quiet: ReturnType<typeof setTimeout> | undefined
  let isOpen = false
  let opener: Element | null = null
  /** Messages of the agent and of live agents: how many the visitor has seen, and the last count told to the page. */
  let [seen, told] = [0, 0]
  let speaks = first
  const loading = new Set<PartName>()
  /** Texts that the page sent before the visitor consented. */
  const waiting: string[] = []
  let person = ''

  const find = <Kind extends HTMLElement>(selector: string): Kind | null => root.querySelector<Kind>(selector)

  function toNewest(): void {
    const scroller = find('.scroller')
    if (scroller !== null && !model.away && model.past === null) scroller.scrollTop = scroller.scrollHeight
  }

  function change(next: Partial<Model>): void {
    model = { ...model, ...next }
    if (needsMore(model) || options.sound || options.countInTitle)
      void load('more', () => import('./more/index.ts'))
    if (hasFiles(model)) void load('files', () => import('./files/index.ts'))
    if (options.voice) void load('talk', () => import('./talk/index.ts'))
    if (!isOpen) return
    const focused = root.activeElement
    render(place, [panelView(model, acts)])
    toNewest()
    // The focused element was removed: keep the focus in the chat.
    if (focused !== null && root.activeElement === null) focusMain()
  }

  /** Loads a part that not every chat needs, once. What needs it is there as soon as it has come. */
  async function load<Name extends PartName>(
    name: Name,
    file: () => Promise<{ create(shell: Shell): Parts[Name] }>,
  ): Promise<void> {
    if (model[name] !== null || loading.has(name)) return
    loading.add(name)
    const loaded = await file().catch(() => null)
    loading.delete(name)
    if (loaded === null || signal.aborted) return
    const part = loaded.create(shell)
    addStyle(part.style)
    change({ [name]: part })
    model.more?.keep()
    if (isOpen && model.consent !== null) focusMain()
  }

  function focusMain(): void {
    // On phones the keyboard would hide half of what there is to read.
    const area = matchMedia('(pointer: coarse)').matches ? null : find('textarea')
    const target = area ?? find('.foot .button') ?? find('.panel')
    target?.focus({ preventScroll: true })
  }

  const isSeen = (): boolean => isOpen && !document.hidden

  function countUnread(): void {
    const theirs = doneOf(model).filter(({ from }) => from !== 'visitor')
    const fresh = model.announces ? theirs.slice(told) : []
    for (const { from, text } of fresh) tell('message', { from, text })
    if (options.sound && fresh.length > 0 && !isSeen()) model.more?.ring()
    told = theirs.length
    if ((isSeen() || !model.announces) && seen !== told) {
      seen = told
      keep('seen', `${seen}`)
    }
    const unread = Math.max(0, told - seen)
    frame.unread(unread, say(model.words.unread, 'n', unread))
    if (options.countInTitle) model.more?.countInTitle(unread)
  }

  /** Switches to the language that the agent has changed to. */
  async function speak(language: string): Promise<void> {
    if (language === speaks) return
    speaks = language
    const words = await loadWords(language)
    if (speaks !== language || signal.aborted) return
    host.lang = language
    change({ words: { ...words, ...options.words }, language: localeOf(language, options) })
  }

  /** Something in the conversation has changed. */
  function follow(): void {
    const before = model
    const conversation = chat.current
    const { language, messages, status } = conversation
    if (messages.length === 0) [seen, told] = [0, 0]
    change({ conversation })
    if (status !== before.conversation.status) {
      tell('status', { status })
      if (status === 'failed') console.warn('[colloquy]', conversation.problem?.message)
      // Messages from before the chat opened are shown, but not read out by screen readers.
      if (status === 'open') quiet ??= setTimeout(() => change({ announces: true }))
    }
    if (language !== null && language !== before.conversation.language && options.language === undefined)
      void speak(languageOf([language, ...navigator.languages]))
    countUnread()
    if (doneOf(model).length !== doneOf(before).length) model.more?.keep()
  }

  /** The client starts when there is nothing to agree to any more. */
  function begin(): void {
    chat.start()
    for (const text of waiting.splice(0)) say_(text)
  }

  function say_(text: string): void {
    change({ away: false })
    chat.send(text, model.files?.take())
    tell('send', { text })
  }

  const acts: Acts = {
    close: () => part.close(),
    send(text) {
      acts.write('')
      say_(text)
      if (root.activeElement !== find('textarea')) focusMain()
    },
    write(draft) {
      model = { ...model, draft }
      keep('draft', draft || null)
      if (draft) chat.typing()
    },
    resend: chat.resend,
    discard: chat.discard,
    retry: chat.reconnect,
    menu: () => change({ menu: !model.menu }),
    renew() {
      change({ menu: false, asking: null, rating: null, notes: [], away: false })
      chat.renew()
      focusMain()
    },
    scrolled() {
      const scroller = find('.scroller')
      if (scroller === null || model.past !== null) return
      const away = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight > NEAR
      if (away !== model.away) change({ away })
    },
    latest: () => change({ away: false }),
  }

  const shell: Shell = {
    chat,
    name,
    memory,
    options,
    place,
    signal,
    get model() {
      return model
    },
    change,
    begin,
    tell,
    renew: acts.renew,
    focus: focusMain,
  }

  const note = (
    kind: Note['kind'],
    { sequence, timestamp }: { readonly sequence: number | null; readonly timestamp: string },
  ): void => change({ notes: [...model.notes, { kind, name: person, sequence: sequence ?? 0, timestamp }] })
  chat.subscribe(follow)
  chat.on('SESSION_START', ({ sequence }) => sequence === 1 && change({ notes: [] }))
  chat.on('LIVE_AGENT_JOINED', event => {
    person = event.payload.name
    note('joined', event)
  })
  chat.on('LIVE_AGENT_LEFT', event => note('left', event))
  chat.on('CLIENT_HANDOFF_REQUIRED', ({ payload: { queue, route } }) => tell('handoff', { queue, route }))

  /** A chat that covers the page keeps the focus. */
  function trap(event: KeyboardEvent): void {
    const all = [...root.querySelectorAll<HTMLElement>('.panel :is(button, a, textarea, [tabindex="0"])')]
    const first = all[0]
    const last = all.at(-1)
    const isAtEnd = event.shiftKey
      ? root.activeElement === first || root.activeElement === find('.panel')
      : root.activeElement === last
    if (!isAtEnd) return
    event.preventDefault()
    const next = event.shiftKey ? last : first
    next?.focus()
  }

  /** Closes what is open: the menu, a question, or else the chat. */
  function leave(event: KeyboardEvent): void {
    if (model.menu || model.asking !== null) {
      change({ menu: false, asking: null })
      focusMain()
    } else if (inside) return
    else part.close()
    event.stopPropagation()
  }

  /** The part of the page that a phone's keyboard leaves. */
  function fitScreen(): void {
    // One that is zoomed into shows a part of the chat. A frame's page fits it.
    if (visualViewport?.scale !== 1 || !model.full || framedBy) return
    place.style.setProperty('--height', `${visualViewport.height}px`)
    place.style.setProperty('--top', `${visualViewport.offsetTop}px`)
    toNewest()
  }

  /** The page must not react to keys typed in the chat: it sees the chat as one element, and no field. */
  function hush(event: Event): void {
    const { altKey, ctrlKey, metaKey } = event as KeyboardEvent
    const isTyped = altKey || !(ctrlKey || metaKey)
    if (isTyped && event.composedPath()[0] instanceof HTMLTextAreaElement) event.stopPropagation()
  }

  function press(event: KeyboardEvent): void {
    if (isComposing(event)) return
    if (event.key === 'Tab' && model.full && isOpen) trap(event)
    if (event.key === 'Escape' && isOpen) leave(event)
  }

  belong(options.identity ?? null)
  host.addEventListener('keydown', press, { signal })
  for (const type of ['keydown', 'keypress', 'keyup']) host.addEventListener(type, hush, { signal })
  // Capture the press before its own handler runs: the handler may remove the target from the chat.
  place.addEventListener(
    'click',
    ({ target }) => {
      const isElsewhere = target instanceof Element && target.closest('#menu, [aria-controls]') === null
      if (model.menu && isElsewhere) change({ menu: false })
    },
    true,
  )
  // Pictures come later than their message.
  place.addEventListener('load', toNewest, true)
  small.addEventListener('change', () => change({ full: covers() }), { signal })
  document.addEventListener('visibilitychange', countUnread, { signal })
  for (const type of ['resize', 'scroll']) visualViewport?.addEventListener(type, fitScreen, { signal })

  const part: ChatPart = {
    open(focus) {
      if (isOpen || signal.aborted) return
      isOpen = true
      opener = document.activeElement
      place.hidden = false
      change({})
      fitScreen()
      frame.opened(true)
      countUnread()
      if (model.consent === null) begin()
      if (focus) focusMain()
      // A frame that its page has just shown may not be drawn yet: nothing in it takes the focus before that.
      if (framedBy && focus) requestAnimationFrame(focusMain)
    },
    close() {
      if (!isOpen || inside) return
      const hadFocus = root.activeElement !== null
      change({ menu: false, asking: null })
      isOpen = false
      place.hidden = true
      frame.opened(false)
      // A launcher that is hidden cannot have it.
      const target = button?.hidden === false ? button : opener
      // Every possible active element of a page has a focus method.
      if (hadFocus) (target as HTMLElement | null)?.focus()
    },
    send(text) {
      if (model.consent === null) say_(text)
      else waiting.push(text)
    },
    identify(identity) {
      if (identity === undefined) {
        chat.forget()
        keep('of', '')
        // The visitor who leaves may still be signed in on the server, so start nothing until the chat is opened.
        part.close()
      } else chat.identify(identity)
      belong(identity ?? null)
      if (isOpen && model.consent === null) begin()
    },
    destroy() {
      ends.abort()
      clearTimeout(quiet)
      chat.destroy()
      if (options.countInTitle) model.more?.countInTitle(0)
      place.remove()
    },
  }
  return part
}
