const UTF_8 = 'utf-8'

/** Bytes of a body in which its XML declaration is looked for. */
const DECLARATION_BYTES = 256

/**
 * Returns a body's text: in the encoding that a byte order mark, its content type, an XML declaration or the zeros
 * between ASCII characters tell, in this order; else UTF-8, also if the named charset is not known, since most texts
 * can be recognised by their ASCII. A byte order mark is left out, and bytes that mean nothing become U+FFFD (EX9).
 */
export function decodeBody(contentType: string, body: Uint8Array): string {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]
  // The name alone does not tell the byte order of UTF-16.
  const named = charset !== undefined && !/^utf-?16$/i.test(charset) ? charset : null
  const encoding = marked(body) ?? named ?? zeros(body) ?? charset ?? declared(body) ?? UTF_8
  try {
    return new TextDecoder(encoding).decode(body)
  } catch {
    return new TextDecoder(UTF_8).decode(body)
  }
}

function marked([first, second, third]: Uint8Array): string | null {
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xef && second === 0xbb && third === 0xbf ? UTF_8 : null
}

/** All accepted types begin with an ASCII character, whose other byte is zero in UTF-16. */
function zeros([first, second]: Uint8Array): string | null {
  if (first === 0 && second !== undefined && second !== 0) return 'utf-16be'
  return second === 0 && first !== undefined && first !== 0 ? 'utf-16le' : null
}

/**
 * Returns the encoding of an XML declaration. A declaration that can be read as ASCII is not in UTF-16, whatever it
 * says.
 */
function declared(body: Uint8Array): string | null {
  const head = new TextDecoder('latin1').decode(body.subarray(0, DECLARATION_BYTES)).trimStart()
  const end = head.indexOf('?>')
  if (!head.startsWith('<?xml') || end < 0) return null
  const encoding = /\sencoding\s*=\s*["']([A-Za-z][\w.-]*)["']/.exec(head.slice(0, end))?.[1]
  return encoding === undefined || /^utf-?16/i.test(encoding) ? null : encoding
}
