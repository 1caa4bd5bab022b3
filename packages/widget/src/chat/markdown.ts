import { h, type View } from './h.ts'

/** Addresses that a message may lead to; null for any other. */
export function safeAddress(address: string): string | null {
  try {
    const { href, protocol } = new URL(address)
    return ['http:', 'https:', 'mailto:', 'tel:'].includes(protocol) ? href : null
  } catch {
    return null
  }
}

/** A picture is shown from the web, or from the message itself. */
export const safePicture = (address: string): string | null =>
  /^data:image\//.test(address) ? address : /^https?:/.test(address) ? safeAddress(address) : null

/** Returns a link of a conversation: it opens beside the page, which is not told to where it leads. */
export function link(address: string, words: View, kind: string | null = null): View {
  const href = safeAddress(address)
  if (href === null) return words
  const attributes = { class: kind, href, target: '_blank', rel: 'noopener noreferrer nofollow' }
  return h('a', attributes, words)
}

// Lengths are bounded, so that no text takes longer than its length. A star within a word is one, and a picture is none
// of these.
const INLINE =
  /(?<!`)`([^`\n]{1,500})`(?!`)|\*\*(?=[^\s*])([^\n]{1,500}?)(?<=\S)\*\*|(?<![\w\u00c0-\u024f*])\*(?=[^\s*])([^*\n]{1,500})(?<=\S)\*(?![\w\u00c0-\u024f*])|(?<!!)\[([^[\]\n]{1,300})\]\(((?:[^()\s]|\([^()\s]{0,300}\)){1,2000})\)|https?:\/\/[^\s<>"]{1,2000}/g

/**
 * Returns an address that stands in a sentence, without what ends the sentence, or a bracket that was opened before it.
 */
function bare(address: string): string {
  let open = 0
  for (const sign of address) open += sign === '(' ? 1 : sign === ')' ? -1 : 0
  let end = address.length
  for (; end > 0; end -= 1) {
    const last = address.charAt(end - 1)
    if (last === ')' && open < 0) open += 1
    else if (!".,:;!?'*]".includes(last)) break
  }
  return address.slice(0, end)
}

function inline(text: string): readonly View[] {
  // Most lines have no marks.
  if (!/[`*[]|http/.test(text)) return [text]
  const views: View[] = []
  let end = 0
  for (const { 0: match, 1: code, 2: strong, 3: soft, 4: words, 5: given, index } of text.matchAll(INLINE)) {
    const isBare = match.startsWith('http')
    const whole = isBare ? bare(match) : match
    const address = given ?? whole
    views.push(text.slice(end, index))
    end = index + whole.length
    if (code) views.push(h('code', {}, code))
    else if (strong) views.push(h('strong', {}, inline(strong)))
    else if (soft) views.push(h('em', {}, inline(soft)))
    else views.push(safeAddress(address) === null ? whole : link(address, words ?? whole))
  }
  views.push(text.slice(end))
  return views
}

const FENCE = /^ {0,3}(`{3,}|~{3,}(?!~))[^`]*$/
const ITEM = /^( {0,3}(?:[-*+•]|(\d{1,9})[.)]) {1,4})(\S.*)$/
const HEADING = /^ {0,3}#{1,6} {1,9}(\S.*)$/

/** Lists within lists, at most: what is deeper stays as it was written. */
const DEEPEST = 6

/** A part of a text: paragraphs, lists and code. */
interface Block {
  readonly tag: string
  readonly views: View[]
}

function blocksOf(lines: readonly string[], depth = 0): readonly View[] {
  const blocks: Block[] = []
  /** The block that the next line may continue. */
  let open: Block | null = null
  const goOn = (tag: string): Block => {
    if (open?.tag === tag) return open
    open = { tag, views: [] }
    blocks.push(open)
    return open
  }
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const [, fence] = FENCE.exec(line) ?? []
    const [, mark = '', number, words = ''] = (depth < DEEPEST && ITEM.exec(line)) || []
    const [, title] = HEADING.exec(line) ?? []
    const tag = number ? 'ol' : 'ul'
    if (fence) {
      const from = at + 1
      const isEnd = (one = fence): boolean => one.trim().startsWith(fence) && !/[^`~\s]/.test(one)
      do at += 1
      while (!isEnd(lines[at]))
      blocks.push({ tag: 'pre', views: [h('code', {}, lines.slice(from, at).join('\n'))] })
      open = null
    } else if (mark && (tag === 'ul' || Number(number) === 1 || (open as Block | null)?.tag === tag)) {
      const below: string[] = []
      const isBelow = (one = '-'): boolean => one.trim() === '' || one.startsWith(' '.repeat(mark.length))
      for (; isBelow(lines[at + 1]); at += 1) below.push((lines[at + 1] ?? '').slice(mark.length))
      // The number stays as it was written.
      const value = number === undefined ? {} : { value: Number(number) }
      goOn(tag).views.push(h('li', { dir: 'auto', ...value }, inline(words), blocksOf(below, depth + 1)))
    } else if (title) {
      blocks.push({ tag: 'p', views: [h('strong', {}, inline(title))] })
      open = null
    } else if (line.trim() === '') open = null
    else {
      const { views } = goOn('p')
      if (views.length > 0) views.push(h('br', {}))
      views.push(...inline(line))
    }
  }
  return blocks.map(({ tag, views }) => h(tag, { dir: 'auto' }, views))
}

/**
 * Shows a message: bold, italic, code, lists, headings and links, as CommonMark has them. It makes elements, never
 * HTML; what it does not know stays as it was written, and so do numbers.
 */
export const markdown = (text: string): readonly View[] => blocksOf(text.split(/\r?\n/))
