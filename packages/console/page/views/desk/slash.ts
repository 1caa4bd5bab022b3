import type { FilledReply } from '@colloquy/client/http'

/** The slash before the cursor, and what was typed behind it. */
export interface Slash {
  readonly start: number
  readonly query: string
}

/** Replies that are offered at a time. */
const OFFERED = 8

const CODE = /^[\p{L}\p{M}\p{N}_-]{0,40}$/u

/** Returns the slash that asks for a shared reply: at the start of a word, with the cursor behind it. */
export function slashAt(text: string, cursor: number): Slash | null {
  const start = text.lastIndexOf('/', cursor - 1)
  if (cursor === 0 || start === -1) return null
  const query = text.slice(start + 1, cursor)
  const isAtWord = start === 0 || /\s/.test(text.charAt(start - 1))
  return isAtWord && CODE.test(query) ? { start, query } : null
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase()

/** Returns the replies for what was typed: codes that begin with it, codes that hold it, then texts that hold it. */
export function repliesFor(replies: readonly FilledReply[], query: string): readonly FilledReply[] {
  const wanted = folded(query)
  const rankOf = ({ code, text }: FilledReply): number => {
    const key = folded(code)
    if (key.startsWith(wanted)) return 0
    if (key.includes(wanted)) return 1
    return folded(text).includes(wanted) ? 2 : 3
  }
  return replies
    .map(reply => ({ reply, rank: rankOf(reply) }))
    .filter(({ rank }) => rank < 3)
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, OFFERED)
    .map(({ reply }) => reply)
}
