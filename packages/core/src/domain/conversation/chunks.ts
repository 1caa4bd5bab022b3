/**
 * Splits streamed text where it may be cut: behind the last white space. What follows it waits for more, so that
 * no word is torn in two and the chunks together are the whole text.
 */
export function cutAtSpace(buffer: string): { readonly ready: string; readonly rest: string } {
  const match = /\s\S*$/u.exec(buffer)
  if (match === null) return { ready: '', rest: buffer }
  const cut = match.index + 1
  return { ready: buffer.slice(0, cut), rest: buffer.slice(cut) }
}
