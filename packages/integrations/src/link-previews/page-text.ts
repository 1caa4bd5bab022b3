/** As far as a page says in which letters it is written. */
const DECLARED = /<meta[^<>]{0,200}?charset\s*=\s*(?:["']\s*)?([\w-]{1,40})/i

function decode(bytes: Uint8Array, label: string | undefined): string {
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

/** Returns the text of a page's bytes: by its header, else by what it declares at its beginning, else UTF-8. */
export function textOf(bytes: Uint8Array, contentType: string): string {
  const [, told] = /charset\s*=\s*"?([\w-]{1,40})/i.exec(contentType) ?? []
  const beginning = new TextDecoder('latin1').decode(bytes.subarray(0, 1_024))
  const [, declared] = DECLARED.exec(beginning) ?? []
  return decode(bytes, told ?? declared)
}
