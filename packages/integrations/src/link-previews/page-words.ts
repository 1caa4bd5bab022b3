import { Parser } from 'htmlparser2'

/** The description of a page by its own metadata. A field is empty if the page does not have it. */
export interface PageWords {
  readonly title: string
  /** The name of the site. */
  readonly site: string
  /** The address of a picture, as it is written. */
  readonly picture: string
}

/** More of a title is not shown. */
const TITLE_LENGTH = 200
const SITE_LENGTH = 80

/** One line of words, cut between characters. */
function lineOf(words: string, most: number): string {
  const line = words.replace(/\s+/gu, ' ').trim()
  const letters = [...line]
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : line
}

/** Reads the head of a page, or of as much of it as is there. Whatever is wrong with it, nothing throws. */
export function wordsOf(html: string): PageWords {
  const said = new Map<string, string>()
  let title = ''
  let isTitle = false
  let isOver = false
  const parser = new Parser({
    onopentag(name, { content = '', name: its = '', property = its }) {
      if (name === 'body') isOver = true
      if (isOver) return
      if (name === 'title') isTitle = title === ''
      if (name === 'meta' && !said.has(property.toLowerCase())) said.set(property.toLowerCase(), content)
    },
    ontext(text) {
      if (isTitle && title.length < 2 * TITLE_LENGTH) title += text
    },
    onclosetag(name) {
      if (name === 'title') isTitle = false
      if (name === 'head') isOver = true
    },
  })
  parser.end(html)
  const first = (...names: readonly string[]): string =>
    names.map(name => said.get(name)?.trim() ?? '').find(value => value !== '') ?? ''
  return {
    title: lineOf(first('og:title', 'twitter:title') || title, TITLE_LENGTH),
    site: lineOf(first('og:site_name', 'application-name'), SITE_LENGTH),
    picture: first('og:image:secure_url', 'og:image', 'twitter:image'),
  }
}
