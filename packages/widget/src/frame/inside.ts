import type { GrantedToken } from '@colloquy/client/messaging'
import type { Memory } from '../chat/device.ts'
import type { ChatOptions } from '../launcher/options.ts'
import type { ChatModule, ChatPart, Frame } from '../launcher/part.ts'
import { LAUNCHER_STYLE } from '../launcher/style.ts'
import type { Asked, Problem, Start, ToFrame, ToPage } from './protocol.ts'

const PAGE_STYLE = 'html, body { height: 100%; margin: 0; overflow: hidden; background: none; }'

function sheet(text: string): CSSStyleSheet {
  const style = new CSSStyleSheet()
  style.replaceSync(text)
  return style
}

/** Asks the page to call its functions, and resolves with their results. */
function createQuestions(say: (message: ToPage) => void) {
  const open = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let last = 0
  return {
    ask: (what: Asked | 'storage', argument: string): Promise<unknown> =>
      new Promise((resolve, reject) => {
        last += 1
        open.set(last, { resolve, reject })
        say({ type: 'ask', id: last, what, argument })
      }),
    answer(id: number, value: unknown, problem: Problem | null): void {
      const question = open.get(id)
      open.delete(id)
      if (problem === null) question?.resolve(value)
      else question?.reject(Object.assign(new Error(problem.message), problem))
    },
  }
}

/** Starts the chat for a page of that origin. */
export async function begin(
  { options, asked, variables, covers, kept, lang, name }: Start,
  origin: string,
  port: MessagePort,
  startChat: ChatModule['startChat'],
): Promise<void> {
  const say = (message: ToPage): void => port.postMessage(message)
  const { ask, answer } = createQuestions(say)
  const { language, theme = 'auto' } = options
  const coverage = Object.assign(new EventTarget(), { matches: covers })
  const host = document.createElement('colloquy-chat')
  host.setAttribute('layout', 'inside')
  host.setAttribute('theme', theme)
  host.lang = lang
  for (const [name, value] of Object.entries(variables)) host.style.setProperty(name, value)
  document.documentElement.style.colorScheme = theme === 'auto' ? 'light dark' : theme
  document.adoptedStyleSheets = [sheet(PAGE_STYLE)]
  if (language !== undefined) document.documentElement.lang = language
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [sheet(LAUNCHER_STYLE)]
  document.body.append(host)

  const entries = new Map(Object.entries(kept))
  const remember = (key: string, value: string | null): void => {
    if (value === null) entries.delete(key)
    else entries.set(key, value)
  }
  const memory: Memory = {
    read: key => entries.get(key) ?? null,
    write(key, value) {
      remember(key, value)
      say({ type: 'keep', of: 'chat', key, value })
    },
  }

  let part: ChatPart | null = null
  const take: { readonly [Type in ToFrame['type']]: (message: Extract<ToFrame, { type: Type }>) => void } = {
    open: ({ focus }) => part?.open(focus),
    close: () => part?.close(),
    send: ({ text }) => part?.send(text),
    identify: ({ identity }) => part?.identify(identity),
    covers(message) {
      coverage.matches = message.covers
      coverage.dispatchEvent(new Event('change'))
    },
    kept: ({ key, value }) => remember(key, value),
    answer: ({ id, value, problem }) => answer(id, value, problem),
  }
  port.onmessage = ({ data }: MessageEvent<ToFrame>) => take[data.type](data as never)

  const all: ChatOptions = {
    ...options,
    storage: {
      read: () => ask('storage', '') as Promise<Readonly<Record<string, string>>>,
      write: (key, value) => say({ type: 'keep', of: 'client', key, value }),
      remove: key => say({ type: 'keep', of: 'client', key, value: null }),
    },
    ...(asked.includes('getToken') && { getToken: () => ask('getToken', '') as Promise<GrantedToken> }),
    ...(asked.includes('createSession') && {
      createSession: (token: string) => ask('createSession', token) as Promise<string>,
    }),
    ...(asked.includes('verifiedContext') && {
      verifiedContext: (id: string) => ask('verifiedContext', id) as Promise<string | null>,
    }),
  }
  const frame: Frame = {
    options: all,
    name,
    host,
    root,
    button: null,
    framedBy: { pageHost: new URL(origin).hostname, covers: coverage, memory },
    opened: isOpen => say({ type: 'opened', isOpen }),
    unread: (count, words) => say({ type: 'unread', count, words }),
    tell: (event, detail) => say({ type: 'tell', event, detail }),
  }
  part = await startChat(frame)
  say({ type: 'started', problem: null })
}
