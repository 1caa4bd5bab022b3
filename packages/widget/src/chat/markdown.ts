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

/** A link of a conversation: it opens beside the page, which is not told to where it leads. */
export function link(address: string, words: View, kind: string | null = null): View {
  const href = safeAddress(address)
  if (href === null) return words
  const attributes = { class: kind, href, target: '_blank', rel: 'noopener noreferrer nofollow' }
  return h('a', attributes, words)
}

// Lengths are bounded, so that no text takes longer than its length.
const INLINE =
  /`([^`\n]{1,500})`|\*\*([^\n]{1,500}?)\*\*|\*([^*\s][^*\n]{0,500})\*|\[([^[\]\n]{1,300})\]\(([^()\s]{1,2000})\)|https?:\/\/[^\s<>"]{1,1999}[^\s<>".,:;!?)'\]]/g

function inline(text: string): readonly View[] {
  const views: View[] = []
  let end = 0
  for (const { 0: whole, 1: code, 2: strong, 3: soft, 4: words, 5: address = whole, index } of text.matchAll(
    INLINE,
  )) {
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

/** What a line begins with: a sign of a list, a number of one, or the signs of a heading. */
const BEGINNING = /^\s{0,6}(?:([-*•])|(\d{1,3}[.)])|#{1,6})\s+(.*)$/s

/** A few lines of the same kind. */
interface Block {
  readonly kind: 'ul' | 'ol' | 'h' | 'p'
  readonly lines: string[]
}

function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = []
  let open: Block | undefined
  for (const line of text.split(/\r?\n/)) {
    const [, dash, number, rest] = BEGINNING.exec(line) ?? []
    const kind = rest === undefined ? 'p' : dash ? 'ul' : number ? 'ol' : 'h'
    if (line.trim() === '') open = undefined
    else {
      if (open?.kind !== kind) {
        open = { kind, lines: [] }
        blocks.push(open)
      }
      open.lines.push(rest ?? line)
    }
  }
  return blocks
}

/**
 * Shows a message: bold, italic, code, lists, headings and links. It makes elements, never HTML; what it does not know
 * stays as it was written.
 */
export function markdown(text: string): readonly View[] {
  return blocksOf(text).map(({ kind, lines }) => {
    if (kind === 'ul' || kind === 'ol') {
      const items = lines.map(line => h('li', {}, inline(line)))
      return h(kind, {}, items)
    }
    const views = lines.flatMap((line, at) => [at > 0 && h('br', {}), ...inline(line)])
    return h('p', {}, kind === 'h' ? h('strong', {}, views) : views)
  })
}
