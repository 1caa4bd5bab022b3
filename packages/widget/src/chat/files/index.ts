import type { Message, SentFile } from '@colloquy/client/messaging'
import { h, type View } from '../h.ts'
import type { Model } from '../model.ts'
import type { Shell } from '../shell.ts'
import { drawing, iconButton } from '../view/parts.ts'
import { say } from '../words/index.ts'
import { FILES_STYLE } from './style.ts'
import { fileWords } from './words.ts'

/** Files of a chat: loaded where the server takes some, or a message has some. Another object after each change. */
export interface Files {
  readonly style: string
  /** Some are on their way: the message waits for them. */
  readonly busy: boolean
  /** The number of files for the next message. */
  readonly count: number
  /** Renders the button that chooses files. Null where the server takes none. */
  button(model: Model): View
  /** Renders the files for the next message, and why others were refused. */
  tray(model: Model): View
  /** Renders the files of a message. */
  shown(message: Message, model: Model): View
  /** True for a message whose text is the names of its files. */
  isAlone(message: Message): boolean
  /** Returns the files for the message that is sent now, which are no longer the next one's. */
  take(): readonly SentFile[]
}

const CLIP = 'M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.5 3.5 0 0 1 5 5l-8.5 8.5a2 2 0 0 1-3-3L14 7'
const PAGE = 'M6 3h8l4 4v14H6zM14 3v4h4'
const CROSS = 'M6 6l12 12M18 6L6 18'
const MEGABYTE = 1_048_576
/** Larger pictures are shown as files, and not loaded. */
const LARGEST_SHOWN = 5 * MEGABYTE
const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** A file for the next message. */
interface Item {
  readonly name: string
  readonly abort: AbortController
  /** Null while it is on its way. */
  sent: SentFile | null
}

const size = (bytes: number, language: string): string => {
  const [value, unit] = bytes < MEGABYTE ? [bytes / 1_024, 'kilobyte'] : [bytes / MEGABYTE, 'megabyte']
  const style = { style: 'unit', unit, maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(language, style).format(bytes < MEGABYTE ? Math.ceil(value) : value)
}

/** Reads bytes as an address that every policy with `data:` for pictures shows. */
const dataAddress = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = reject
    reader.readAsDataURL(blob)
  })

/** The words for each status with which a server refuses a file. */
const REFUSED = { 409: 'full', 413: 'size', 415: 'wrong' } as const

const statusOf = (error: unknown): unknown => Reflect.get(Object(error), 'status')

/** Makes the files of a chat. Long because the tray, its uploads and the pictures share their state. */
function createFiles(shell: Shell): Files {
  const { chat, place, signal } = shell
  const items = new Set<Item>()
  /** Addresses of pictures by the ids of their files; empty while they are read, or if they cannot be. */
  const pictures = new Map<string, string>()
  let problem = ''

  const wordsOf = (model: Model) => fileWords(model.language)
  const mebibytes = (): number =>
    Math.floor(((shell.model.conversation.takes?.maxBytes ?? 0) / MEGABYTE) * 10) / 10
  const told = (what: keyof ReturnType<typeof fileWords>, name: string, n = mebibytes()): string =>
    say(say(wordsOf(shell.model)[what], 'name', name), 'n', n)

  function changed(next: string = problem): void {
    problem = next
    if (!signal.aborted) shell.change({ files: files() })
  }

  async function upload(file: File): Promise<void> {
    const item: Item = { name: file.name || 'file', abort: new AbortController(), sent: null }
    items.add(item)
    changed('')
    try {
      item.sent = await chat.upload(file, item.name, AbortSignal.any([signal, item.abort.signal]))
      changed()
    } catch (error) {
      if (!items.delete(item)) return
      const status = statusOf(error)
      changed(told(status === 409 || status === 413 || status === 415 ? REFUSED[status] : 'lost', item.name))
    }
  }

  /** Sends chosen files, or says why not. */
  function add(chosen: Iterable<File>): void {
    const { takes } = shell.model.conversation
    if (takes === null) return
    for (const file of chosen) {
      const { maxBytes, maxPerMessage, types } = takes
      if (items.size >= maxPerMessage) changed(told('many', file.name, maxPerMessage))
      else if (!types.includes(file.type)) changed(told('type', file.name))
      else if (file.size > maxBytes) changed(told('size', file.name))
      else void upload(file)
    }
  }

  function choose(types: readonly string[]): void {
    const input = document.createElement('input')
    Object.assign(input, { type: 'file', multiple: true, accept: types.join() })
    input.onchange = () => add(input.files ?? [])
    input.click()
  }

  /** Reads a file. @throws where it is not what the message says, or no longer there */
  async function read({ id, type }: SentFile): Promise<Blob> {
    const answer = await fetch(await chat.fileAddress(id), { signal })
    if (!answer.ok) throw new Error('The file is not there.')
    return new Blob([await answer.arrayBuffer()], { type })
  }

  async function show(file: SentFile): Promise<void> {
    pictures.set(file.id, '')
    const address = await read(file)
      .then(dataAddress)
      .catch(() => '')
    pictures.set(file.id, address)
    changed()
  }

  async function download(file: SentFile): Promise<void> {
    try {
      const href = URL.createObjectURL(await read(file))
      Object.assign(document.createElement('a'), { href, download: file.name }).click()
      setTimeout(() => URL.revokeObjectURL(href), 10_000)
    } catch {
      changed(told('gone', file.name))
    }
  }

  function one(file: SentFile, model: Model): View {
    const { id, name, type } = file
    const label = say(wordsOf(model).download, 'name', name)
    const attributes = {
      key: id,
      type: 'button',
      'aria-label': label,
      title: label,
      onclick: () => void download(file),
    }
    const isShown = PICTURES.includes(type) && file.size <= LARGEST_SHOWN
    if (isShown && !pictures.has(id)) void show(file)
    const src = pictures.get(id)
    if (src) return h('button', { ...attributes, class: 'picture' }, h('img', { src, alt: name }))
    return h(
      'button',
      { ...attributes, class: 'file', 'aria-busy': isShown && src === '' ? 'true' : null },
      ...[drawing('page', PAGE), h('span', {}, name), h('small', {}, size(file.size, model.language))],
    )
  }

  const files = (): Files => ({
    style: FILES_STYLE,
    busy: [...items].some(({ sent }) => sent === null),
    count: items.size,
    button: model =>
      model.conversation.takes !== null &&
      iconButton(drawing('clip', CLIP), wordsOf(model).attach, () =>
        choose(model.conversation.takes?.types ?? []),
      ),
    tray: model =>
      (items.size > 0 || problem !== '') &&
      h(
        'div',
        { key: 'tray', class: 'tray' },
        [...items].map(item => {
          const { name, sent } = item
          const drop = (): void => {
            items.delete(item)
            item.abort.abort()
            changed()
          }
          return h(
            'div',
            { class: 'file', 'aria-busy': sent === null ? 'true' : null },
            sent === null
              ? h('i', { role: 'img', 'aria-label': model.words.sending })
              : drawing('page', PAGE),
            h('span', {}, name),
            iconButton(drawing('cross', CROSS), say(wordsOf(model).remove, 'name', name), drop),
          )
        }),
        h('p', { role: 'alert', hidden: problem === '' }, problem),
      ),
    shown: (message, model) =>
      message.files.length > 0 &&
      h(
        'div',
        { class: 'files' },
        message.files.map(file => one(file, model)),
      ),
    isAlone: ({ files: named, text }) =>
      named.length > 0 && text === named.map(({ name }) => name).join(', '),
    take() {
      const taken = [...items].flatMap(({ sent }) => sent ?? [])
      items.clear()
      changed('')
      return taken
    },
  })

  /** Files that come with a drag or a paste. The browser must not open them in place of the page. */
  function receive(event: Event, data: DataTransfer | null): void {
    const given = [...(data?.files ?? [])]
    if (shell.model.conversation.takes === null || given.length === 0) return
    event.preventDefault()
    add(given)
  }
  const over = (is: boolean): void => void place.classList.toggle('over', is)
  const listen = { signal }
  place.addEventListener('paste', event => receive(event, event.clipboardData), listen)
  place.addEventListener(
    'dragover',
    event => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      over(true)
    },
    listen,
  )
  place.addEventListener('dragleave', () => over(false), listen)
  place.addEventListener(
    'drop',
    event => {
      over(false)
      receive(event, event.dataTransfer)
    },
    listen,
  )
  return files()
}

export { createFiles as create }
