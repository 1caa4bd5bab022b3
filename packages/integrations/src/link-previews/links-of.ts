/** An address in a text; what ends a sentence, and what closes a bracket around it, is not of it. */
const ADDRESS = /https?:\/\/[^\s<>"]{1,1999}[^\s<>".,:;!?)'\]*_]/g

/**
 * Returns the addresses of the web that a text leads to, each once, in their order. Those in brackets of Markdown as
 * well.
 */
export function linksOf(text: string): readonly string[] {
  const found = [...text.matchAll(ADDRESS)].map(([address]) => {
    // `[words](address)`: what follows the bracket is not of the address, unless one was opened in it.
    const end = address.includes('(') ? -1 : address.indexOf(')')
    return end < 0 ? address : address.slice(0, end)
  })
  return [...new Set(found)].filter(address => URL.canParse(address))
}
