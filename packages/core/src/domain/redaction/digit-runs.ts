/** A digit of any script with its place in the text. */
export interface PlacedDigit {
  /** 0 to 9. */
  readonly value: number
  readonly at: number
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

/** Characters that people put between digits of one number. Zero-width ones are there to deceive. */
const SEPARATORS = new Set(
  ' \u00a0\u2007\u2009\u202f-\u2010\u2011\u2012\u2013./()\u200b\u200c\u200d\u2060\ufeff',
)

/** Separators in a row that still belong to one number. */
const MOST_SEPARATORS = 3

/** Returns the value of a digit of any script in the Basic Multilingual Plane. Null for any other character. */
function digitOf(character: string): number | null {
  const code = character.charCodeAt(0)
  if (code < 0x80) return code >= 0x30 && code <= 0x39 ? code - 0x30 : null
  if (!/^\p{Nd}$/u.test(character)) return null
  // The ten digits of a script follow one another, and the one before the first is no digit.
  let value = 0
  while (value < 9 && /^\p{Nd}$/u.test(String.fromCharCode(code - value - 1))) value++
  return value
}

/** Returns the runs of digits of a text, in order. */
export function digitRuns(text: string): readonly DigitRun[] {
  const runs: DigitRun[] = []
  let digits: PlacedDigit[] = []
  let separators = 0
  const close = (): void => {
    const first = digits[0]
    if (first !== undefined) {
      let start = first.at
      while (start > 0 && text[start - 1] === '(') start--
      const hasPlus = start > 0 && (text[start - 1] === '+' || text[start - 1] === '\uff0b')
      runs.push({ digits, start: hasPlus ? start - 1 : start, hasPlus })
    }
    digits = []
    separators = 0
  }
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    const value = digitOf(character)
    if (value !== null) {
      digits.push({ value, at, begins: digits.length === 0 || separators > 0 })
      separators = 0
    } else if (digits.length > 0 && (!SEPARATORS.has(character) || ++separators > MOST_SEPARATORS)) close()
  }
  close()
  return runs
}
