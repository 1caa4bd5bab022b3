import { bytesOf, samplesOf, WINDOW_MS } from '../audio/pcm.ts'

/** The level of a character with the code 0, and how much louder the next code is. */
const LEVEL = { lowest: 4_000, step: 100 }

/**
 * Returns a text as sound: 20 milliseconds for each character, as loud as its code, and silence for a space. It is a
 * voice to a detector, and `textOfTones` reads the text again, so that a test knows exactly what was heard. Characters
 * beyond Latin-1 become `?`.
 */
export function tonesOf(text: string, rate: number): Uint8Array {
  const perCharacter = (rate * WINDOW_MS) / 1_000
  const samples = new Int16Array(text.length * perCharacter)
  for (const [index, character] of [...text].entries()) {
    const code = character.charCodeAt(0)
    const level = code <= 32 ? 0 : LEVEL.lowest + (code < 256 ? code : 63) * LEVEL.step
    for (let at = 0; at < perCharacter; at++)
      samples[index * perCharacter + at] = at % 2 === 0 ? level : -level
  }
  return bytesOf(samples)
}

/** Returns silence as sound. */
export const silenceOf = (ms: number, rate: number): Uint8Array =>
  new Uint8Array(Math.round((ms * rate) / 1_000) * 2)

/** Returns the text of a sound that `tonesOf` has made. Silence of any length between words is one space. */
export function textOfTones(bytes: Uint8Array, rate: number): string {
  const samples = samplesOf(bytes)
  const perCharacter = (rate * WINDOW_MS) / 1_000
  let text = ''
  for (let at = 0; at < samples.length; at += perCharacter) {
    const level = Math.abs(samples[at] ?? 0)
    text += level < LEVEL.lowest ? ' ' : String.fromCharCode(Math.round((level - LEVEL.lowest) / LEVEL.step))
  }
  return text.replace(/ +/g, ' ').trim()
}
