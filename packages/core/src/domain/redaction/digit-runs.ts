import { type CharacterTest, characterTest } from './character-test.ts'

/** A digit of any script with its place in the text. */
export interface PlacedDigit {
  /** 0 to 9. */
  readonly value: number
  readonly at: number
  /** Behind its last code unit: digits of some scripts have two. */
  readonly end: number
  /** True for the first digit of a group: what is before it is no digit. */
  readonly begins: boolean
}

/** Digits with few separators between them. */
export interface DigitRun {
  readonly digits: readonly PlacedDigit[]
  /** The place where the run starts; that of a plus sign or parenthesis before it. */
  readonly start: number
  readonly hasPlus: boolean
}

/** Characters between digits of one number. Invisible ones come with Arabic and Hebrew, or are there to deceive. */
export const isSeparator = characterTest(/^[\p{Zs}\p{Pd}\p{Cf}./()]$/u)

/** The same for numbers with a checksum, which are told from others anyway. */
export const isWideSeparator = characterTest(/^[\p{Zs}\p{Pd}\p{Cf}./()\p{Pc}\t\r\n*\u00b7\u2022\u2212]$/u)

const isDigit = characterTest(/^\p{Nd}$/u)

/** Digits of the shortest number that is private. */
const FEWEST = 7

/** Separators in a row that still belong to one number. */
export const MOST_SEPARATORS = 3

/** Returns the value of a digit of any script. Null for any other character. */
function digitOf(character: string): number | null {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return code >= 0x30 && code <= 0x39 ? code - 0x30 : null
  if (!isDigit(character)) return null
  const folded = character.normalize('NFKC')
  if (folded !== character) return digitOf(folded)
  // The ten digits of a script follow one another, and the one before the first is no digit.
  let value = 0
  while (value < 9 && isDigit(String.fromCodePoint(code - value - 1))) value++
  return value
}

/** Returns the runs of digits of a text that may be a number, in order. What is taken ends a run. */
export function digitRuns(text: string, isTaken: Uint8Array, isBetween: CharacterTest): readonly DigitRun[] {
  const runs: DigitRun[] = []
  let digits: PlacedDigit[] = []
  let separators = 0
  const close = (): void => {
    const first = digits[0]
    if (first !== undefined && digits.length >= FEWEST) {
      let start = first.at
      if (text[start - 1] === '(') start--
      const hasPlus = start > 0 && (text[start - 1] === '+' || text[start - 1] === '\uff0b')
      runs.push({ digits, start: hasPlus ? start - 1 : start, hasPlus })
    }
    digits = []
    separators = 0
  }
  let at = 0
  for (const character of text) {
    const end = at + character.length
    const value = isTaken[at] === 1 ? null : digitOf(character)
    if (value !== null) {
      digits.push({ value, at, end, begins: digits.length === 0 || separators > 0 })
      separators = 0
    } else if (
      digits.length > 0 &&
      (isTaken[at] === 1 || !isBetween(character) || ++separators > MOST_SEPARATORS)
    )
      close()
    at = end
  }
  close()
  return runs
}
