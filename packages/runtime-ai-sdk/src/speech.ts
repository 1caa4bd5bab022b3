import { PlatformError } from '@colloquy/core'

/** The agent's text in one turn: the model's texts in several requests, and those of functions between them. */
export interface Speech {
  /** Text of the model so far. */
  readonly text: string
  /** True when the model or a function has said something. */
  readonly spoken: boolean
  /** Returns the text to say for a further piece of the model's text. @throws AGENT_FAILED above the limit (LM30) */
  add(piece: string): string
  /** The model's text ends here for now; the next one begins a paragraph. */
  pause(): void
  /** As `pause`, before a function may speak: returns the text that separates the two. */
  giveWay(): string
  /** A function has said something. */
  interrupted(): void
}

const PARAGRAPH = '\n\n'

/**
 * Returns a turn's speech of at most `most` characters. White space before the first word of each of the model's texts
 * is left out.
 */
export function createSpeech(most: number): Speech {
  let text = ''
  let spoken = false
  /** True until the first word of the model's present text. */
  let waiting = true
  /** True when the text before is separated already. */
  let apart = true

  return {
    get text() {
      return text
    },
    get spoken() {
      return spoken
    },
    add(piece) {
      const words = waiting ? piece.trimStart() : piece
      if (words === '') return ''
      const said = waiting && !apart ? PARAGRAPH + words : words
      waiting = false
      apart = false
      spoken = true
      text += said
      if (text.length > most) {
        throw new PlatformError('AGENT_FAILED', `The language model said more than ${most} characters.`)
      }
      return said
    },
    pause() {
      waiting = true
    },
    giveWay() {
      waiting = true
      if (apart) return ''
      apart = true
      return PARAGRAPH
    },
    interrupted() {
      spoken = true
      apart = false
    },
  }
}
