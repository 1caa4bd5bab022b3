import { cutPlace } from '../cut-text.ts'
import type { JsonObject } from '../json.ts'

/** The most characters (UTF-16) that carriers take as one text. */
export const TEXT_LENGTH = 1_600

/** The distance before the limit within which a text may be cut to keep words whole. */
const REACH = 200

/** Returns the place of the cut: after the last blank or line break in reach, and never within a character. */
function cutOf(text: string): number {
  const head = text.slice(0, TEXT_LENGTH)
  const behind = Math.max(head.lastIndexOf('\n'), head.lastIndexOf(' ')) + 1
  return behind > TEXT_LENGTH - REACH ? behind : cutPlace(text, TEXT_LENGTH)
}

/** Returns the parts that a text is sent in: together they are the text (TX26). */
export function splitText(text: string): readonly string[] {
  const parts: string[] = []
  let rest = text
  while (rest.length > TEXT_LENGTH) {
    const cut = cutOf(rest)
    parts.push(rest.slice(0, cut))
    rest = rest.slice(cut)
  }
  return [...parts, rest]
}

const urlOf = (attachment: unknown): readonly string[] => {
  const url: unknown =
    typeof attachment === 'object' && attachment !== null ? Reflect.get(attachment, 'content_url') : null
  return typeof url === 'string' && url !== '' ? [url] : []
}

/** Returns the texts of an event, part by part: its words, and the URLs of its attachments. Empty if blank. */
export function textsOfEvent({ text, attachments }: JsonObject): readonly string[] {
  const words = typeof text === 'string' ? text.trim() : ''
  const urls = Array.isArray(attachments) ? attachments.flatMap(urlOf) : []
  const whole = [words, ...urls].filter(line => line !== '').join('\n')
  return whole === '' ? [] : splitText(whole)
}
