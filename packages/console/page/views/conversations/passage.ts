/** A piece of a passage; `isFound`: one of the words that were searched. */
export interface Piece {
  readonly text: string
  readonly isFound: boolean
}

/** Texts of a turn. */
interface Said {
  readonly user_input: string
  readonly agent_response: string
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu

/** Characters of a passage before and after its first word. */
const AROUND = { before: 40, after: 120 }

/** The shortest part of a word that a search finds, and the shortest beginning of one. */
const SHORTEST_PART = 4
const SHORTEST_START = 3

/** Reports whether a search for a word finds another one. */
const finds = (word: string, form: string): boolean =>
  form === word ||
  (word.length >= SHORTEST_START && form.startsWith(word)) ||
  (word.length >= SHORTEST_PART && form.includes(word))

/** Returns a word without case and accents, as a search compares it. */
const folded = (word: string): string =>
  word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')

/** Returns the places of the words in a text. */
function placesIn(
  text: string,
  words: readonly string[],
): readonly (readonly [start: number, end: number])[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const form = folded(word)
    return words.some(one => finds(one, form)) ? [[index, index + word.length] as const] : []
  })
}

/** Returns the part of a text around its first word that was found, cut at its ends. */
function around(text: string, places: ReturnType<typeof placesIn>): readonly Piece[] {
  const first = places[0]?.[0] ?? 0
  const from = Math.max(0, first - AROUND.before)
  const to = Math.min(text.length, first + AROUND.after)
  const pieces: Piece[] = []
  const add = (piece: string, isFound: boolean) => {
    if (piece !== '') pieces.push({ text: piece, isFound })
  }
  let at = from
  for (const [start, end] of places.filter(([, end]) => end <= to)) {
    add((at === from && from > 0 ? '… ' : '') + text.slice(at, start), false)
    add(text.slice(start, end), true)
    at = end
  }
  add(text.slice(at, to) + (to < text.length ? ' …' : ''), false)
  return pieces
}

/**
 * Returns the passage that a search for words has found, of the text with most of them; null if it has none, as one
 * that was found by its meaning.
 */
export function passageOf(turns: readonly Said[], query: string): readonly Piece[] | null {
  const words = [...new Set((query.match(WORD) ?? []).map(folded))]
  let best: { readonly text: string; readonly places: ReturnType<typeof placesIn>; count: number } | null =
    null
  for (const { agent_response, user_input } of turns)
    for (const text of [user_input, agent_response]) {
      const places = placesIn(text, words)
      const count = new Set(places.map(([start, end]) => folded(text.slice(start, end)))).size
      if (count > (best?.count ?? 0)) best = { text, places, count }
    }
  return best === null ? null : around(best.text, best.places)
}
