const UTF_8 = 'utf-8'

/**
 * A body's text, in the charset that its content type names, else UTF-8; also where that charset is not known, since
 * most texts can be recognised by their ASCII. A byte order mark is left out, and bytes that mean nothing become U+FFFD
 * (EX9, EX19).
 */
export function decodeBody(contentType: string, body: Uint8Array): string {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? UTF_8
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    return new TextDecoder(UTF_8).decode(body)
  }
}
