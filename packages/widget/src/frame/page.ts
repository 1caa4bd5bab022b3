import { browserStorage } from '@colloquy/client/messaging'
import { memory, pageFor } from '../chat/device.ts'
import { countInTitle } from '../chat/more/device.ts'
import { SMALL } from '../launcher/covers.ts'
import type { ChatOptions } from '../launcher/options.ts'
import type { ChatPart, Frame } from '../launcher/part.ts'
import { openFrame } from './iframe.ts'
import {
  ASKED,
  type Asked,
  type FramedOptions,
  OWN,
  type Problem,
  REFUSED,
  type Start,
  type ToFrame,
  type ToPage,
} from './protocol.ts'
import { FRAME_STYLE } from './style.ts'

/** CSS variables that a page's style may set. */
const VARIABLES = ['accent', 'on-accent', 'background', 'text', 'font', 'font-size', 'radius'].map(
  name => `--colloquy-${name}`,
)

/** Keys under which the chat itself keeps data. */
const KEPT = ['consent', 'draft', 'of', 'past', 'seen']

/** Returns the options to send to the frame. @throws TypeError if one of them cannot leave the page */
function framedOptions(options: ChatOptions): FramedOptions {
  const refused = REFUSED.filter(key => options[key] !== undefined)
  if (refused.length > 0)
    throw new TypeError(`A chat in a frame cannot have ${refused.join(', ')}, which cannot leave the page.`)
  const own: readonly string[] = OWN
  const sent = Object.entries({ ...options, page: pageFor(options) }).filter(([key]) => !own.includes(key))
  return Object.fromEntries(sent) as FramedOptions
}

function problemOf(error: unknown): Problem {
  const message = error instanceof Error ? error.message : String(error)
  const status = error instanceof Object && 'status' in error ? Number(error.status) : Number.NaN
  return Number.isNaN(status) ? { message } : { message, status }
}

/**
 * Starts the chat in a frame of another origin, and answers what it asks the page for. It is long because the page and
 * the frame meet here.
 *
 * @throws Error when the frame cannot be had
 */
export async function startChat(frame: Frame): Promise<ChatPart> {
  const { button, host, name, options, root } = frame
  const own = framedOptions(options)
  // Browsers keep nothing, or not for long, for a frame of another site.
  const storage = options.storage ?? browserStorage({ name })
  const ends = new AbortController()
  const { signal } = ends
  const small = matchMedia(SMALL)
  const inside = options.layout === 'inside'

  const style = new CSSStyleSheet()
  style.replaceSync(FRAME_STYLE)
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, style]
  const place = root.appendChild(document.createElement('div'))
  const { begin, iframe, port } = openFrame(options, place, signal)
  let opener: HTMLElement | null = null
  const tell = (message: ToFrame): void => port.postMessage(message)
  const covers = (): boolean => !inside && (options.renderMode === 'fullscreen' || small.matches)

  /** The part of the page that a phone's keyboard leaves. */
  function fit(): void {
    place.className = covers() ? 'place full' : 'place'
    if (visualViewport?.scale !== 1) return
    place.style.setProperty('--height', `${visualViewport.height}px`)
    place.style.setProperty('--top', `${visualViewport.offsetTop}px`)
  }

  const questions: Readonly<Record<Asked | 'storage', (argument: string) => unknown>> = {
    getToken: () => options.getToken?.(signal),
    createSession: token => options.createSession?.(token, signal, options.identity ?? null),
    verifiedContext: id => options.verifiedContext?.(id, options.identity ?? null),
    storage: () => storage.read(),
  }

  async function answer(id: number, what: Asked | 'storage', argument: string): Promise<void> {
    try {
      tell({ type: 'answer', id, value: await questions[what](argument), problem: null })
    } catch (error) {
      tell({ type: 'answer', id, value: null, problem: problemOf(error) })
    }
  }

  /** Stores a value. If storage fails, the conversation ends with the page. */
  async function keep({ key, of, value }: Extract<ToPage, { type: 'keep' }>): Promise<void> {
    if (of === 'chat') memory.write(key, value)
    else
      try {
        await (value === null ? storage.remove(key) : storage.write(key, value))
      } catch {}
  }

  function opened(isOpen: boolean): void {
    const hadFocus = root.activeElement === iframe
    place.hidden = !isOpen
    frame.opened(isOpen)
    const target = button?.hidden === false ? button : opener
    if (!isOpen && hadFocus) target?.focus()
  }

  let there = (): void => {}
  let away = (_reason: Error): void => {}
  const started = new Promise<void>((resolve, reject) => {
    there = resolve
    away = reject
  })
  const take: { readonly [Type in ToPage['type']]: (message: Extract<ToPage, { type: Type }>) => void } = {
    started: ({ problem }) => (problem === null ? there() : away(new Error(problem))),
    opened: ({ isOpen }) => opened(isOpen),
    unread({ count, words }) {
      frame.unread(count, words)
      if (options.countInTitle) countInTitle(count)
    },
    keep: message => void keep(message),
    tell: ({ event, detail }) => frame.tell(event, detail),
    ask: ({ id, what, argument }) => void answer(id, what, argument),
  }

  function end(): void {
    ends.abort()
    place.remove()
    if (options.countInTitle) countInTitle(0)
  }

  fit()
  try {
    port.onmessage = ({ data }: MessageEvent<ToPage>) => take[data.type](data as never)
    await begin(() => {
      const set = getComputedStyle(host)
      const variables = VARIABLES.map(name => [name, set.getPropertyValue(name)]).filter(([, value]) => value)
      const start: Omit<Start, 'colloquy'> = {
        options: own,
        name,
        kept: Object.fromEntries(
          KEPT.map(key => [`${name}.${key}`, memory.read(`${name}.${key}`) ?? '']).filter(
            ([, value]) => value,
          ),
        ),
        asked: ASKED.filter(name => options[name] !== undefined),
        variables: Object.fromEntries(variables),
        covers: covers(),
        lang: host.lang,
      }
      return start
    })
    await started
  } catch (error) {
    end()
    throw error
  }
  small.addEventListener(
    'change',
    () => {
      fit()
      tell({ type: 'covers', covers: covers() })
    },
    { signal },
  )
  addEventListener(
    'storage',
    ({ key, newValue }) => {
      if (key?.startsWith(`${name}.`)) tell({ type: 'kept', key, value: newValue })
    },
    { signal },
  )
  visualViewport?.addEventListener('resize', fit, { signal })
  visualViewport?.addEventListener('scroll', fit, { signal })

  return {
    open(focus) {
      place.hidden = false
      opener = document.activeElement instanceof HTMLElement ? document.activeElement : null
      // A frame takes the focus to where to write, once it has it.
      if (focus) iframe.focus()
      tell({ type: 'open', focus })
    },
    close: () => tell({ type: 'close' }),
    send: text => tell({ type: 'send', text }),
    identify: identity => tell({ type: 'identify', identity }),
    destroy: end,
  }
}
