import { type Posting, postingOf, sidesIn, turnOf } from './word-postings.ts'

/** Room for so many at first; it doubles when it is full. */
const FIRST_ROOM = 1_024

/** No posting comes before. */
const NONE = -1

/**
 * Lists of postings, whose numbers stand in arrays that all of them share. Thousands wait to be written: a list of its
 * own for each word would be made anew as it grows, and moved by each collection that it outlives.
 */
export class PostingLists {
  #postings = new Float64Array(FIRST_ROOM)
  /** Where the posting stands that comes before, in the same list. */
  #before = new Int32Array(FIRST_ROOM)
  #size = 0
  /** Where the last posting of each list stands. */
  #ends = new Int32Array(FIRST_ROOM)
  #lists = 0

  /** Makes an empty list. Returns its number. */
  make(): number {
    if (this.#lists === this.#ends.length) this.#ends = doubled(this.#ends, Int32Array)
    this.#ends[this.#lists] = NONE
    return this.#lists++
  }

  /** Adds a turn to the list, or more sides of it where it was added last. */
  add(list: number, turn: number, sides: number): void {
    const end = this.#ends[list] ?? NONE
    const newest = end === NONE ? 0 : (this.#postings[end] ?? 0)
    if (end !== NONE && turnOf(newest) === turn) {
      this.#postings[end] = postingOf(turn, sidesIn(newest) | sides)
      return
    }
    if (this.#size === this.#postings.length) {
      this.#postings = doubled(this.#postings, Float64Array)
      this.#before = doubled(this.#before, Int32Array)
    }
    this.#postings[this.#size] = postingOf(turn, sides)
    this.#before[this.#size] = end
    this.#ends[list] = this.#size++
  }

  /** The postings of a list, in the order in which they were added. */
  of(list: number): readonly Posting[] {
    const postings: Posting[] = []
    for (let at = this.#ends[list] ?? NONE; at !== NONE; at = this.#before[at] ?? NONE)
      postings.push(this.#postings[at] ?? 0)
    return postings.reverse()
  }

  /** Forgets all lists, and keeps their room. */
  clear(): void {
    this.#size = 0
    this.#lists = 0
  }
}

/** The same numbers, with room for as many more. */
function doubled<Numbers extends Float64Array | Int32Array>(
  numbers: Numbers,
  Made: new (length: number) => Numbers,
): Numbers {
  const more = new Made(2 * numbers.length)
  more.set(numbers)
  return more
}
