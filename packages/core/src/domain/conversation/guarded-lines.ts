/** The visitor's lines that a guard changed or took out: the agent never reads them as they were said (GU5). */
export interface GuardedLines {
  /** The agent reads no line up to this sequence of the log: what was taken out of those is not known any more. */
  readonly after: number
  /** Oldest first. */
  readonly lines: readonly GuardedLine[]
}

/** The text in place of a visitor's message; empty if the agent does not read the message at all. */
export interface GuardedLine {
  readonly sequence: number
  readonly text: string
}

/** The state of a conversation stays small: the newest lines are kept, and history begins behind the others. */
export const GUARDED_LINES = { lines: 50, characters: 16_000 } as const

const NONE: GuardedLines = { after: 0, lines: [] }

/** Returns the lines with one more. A line that is judged again has its newest text. */
export function withGuardedLine(before: GuardedLines = NONE, line: GuardedLine): GuardedLines {
  const lines = [...before.lines.filter(({ sequence }) => sequence !== line.sequence), line]
  let { after } = before
  let characters = lines.reduce((sum, { text }) => sum + text.length, 0)
  while (lines.length > GUARDED_LINES.lines || characters > GUARDED_LINES.characters) {
    const [oldest] = lines.splice(0, 1)
    if (oldest === undefined) break
    after = Math.max(after, oldest.sequence)
    characters -= oldest.text.length
  }
  return { after, lines }
}

/** Returns the text of a line behind `after` as the agent reads it. Null if it does not read it. */
export function readByAgent(guarded: GuardedLines = NONE, { sequence, text }: GuardedLine): string | null {
  const line = guarded.lines.find(one => one.sequence === sequence)
  if (line === undefined) return text
  return line.text === '' ? null : line.text
}
