/** A token of an XML document, in document order. Texts and values are as written: no entity is expanded. */
export type XmlToken =
  | { readonly type: 'open'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly type: 'close' }
  | { readonly type: 'text'; readonly text: string }

/** A document that is not well-formed, or declares something. The message says what is wrong. */
export class XmlProblem extends Error {
  override readonly name = 'XmlProblem'
}

const NAME = /[A-Za-z_:\u0080-\uffff][\w:.\-\u0080-\uffff]*/y
/**
 * The whole of an attribute. Each part can begin with one kind of character only, so that nothing is tried twice: white
 * space is XML's own four characters, none of which a name can have.
 */
const ATTRIBUTE =
  /([A-Za-z_:\u0080-\uffff][\w:.\-\u0080-\uffff]*)[ \t\r\n]*=[ \t\r\n]*(?:"([^"<]*)"|'([^'<]*)')/y
const SPACE = /[ \t\r\n]*/y
const BLANK = /^[ \t\r\n]*$/

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map()

const notWellFormed = () => new XmlProblem('it is not well-formed XML')

/**
 * Returns the tokens of a document. Reads it once from front to back, in time that grows with its length alone, and
 * keeps nothing but the names of the open elements; a reader that stops early has not had the rest checked. A library
 * that builds a tree of 1 MiB blocks the process for half a second, and for much longer when white space stands where
 * its expressions do not expect it.
 *
 * @throws XmlProblem
 */
export function* scanXml(xml: string): Generator<XmlToken> {
  const open: string[] = []
  let rooted = false
  let at = 0
  while (at < xml.length) {
    const tag = xml.indexOf('<', at)
    const end = tag === -1 ? xml.length : tag
    if (end > at) {
      const text = xml.slice(at, end)
      if (open.length > 0) yield { type: 'text', text }
      else if (!BLANK.test(text)) throw notWellFormed()
      at = end
      continue
    }
    const opaque = skipOpaque(xml, at, open.length > 0)
    if (opaque !== null) {
      if (opaque.text !== null) yield { type: 'text', text: opaque.text }
      at = opaque.end
      continue
    }
    if (xml.startsWith('</', at)) {
      at = closeTag(xml, at + 2, open.pop())
      yield { type: 'close' }
      continue
    }
    if (open.length === 0 && rooted) throw notWellFormed()
    rooted = true
    const element = openTag(xml, at + 1)
    at = element.end
    yield { type: 'open', name: element.name, attributes: element.attributes }
    if (element.empty) yield { type: 'close' }
    else open.push(element.name)
  }
  if (!rooted || open.length > 0) throw notWellFormed()
}

/** Returns the match of `expression` exactly at a position. Returns null without one. */
function matchAt(expression: RegExp, xml: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at
  return expression.exec(xml)
}

const afterSpace = (xml: string, at: number): number => at + (matchAt(SPACE, xml, at)?.[0].length ?? 0)

/** Returns a comment, an instruction or character data that begins here; null for a tag. */
function skipOpaque(xml: string, at: number, inside: boolean): { end: number; text: string | null } | null {
  if (xml[at + 1] !== '!' && xml[at + 1] !== '?') return null
  const until = (start: string, mark: string) => {
    const end = xml.indexOf(mark, at + start.length)
    if (end === -1) throw notWellFormed()
    return { end: end + mark.length, text: null }
  }
  if (xml.startsWith('<?', at)) return until('<?', '?>')
  if (xml.startsWith('<!--', at)) return until('<!--', '-->')
  if (inside && xml.startsWith('<![CDATA[', at)) {
    const { end } = until('<![CDATA[', ']]>')
    return { end, text: xml.slice(at + '<![CDATA['.length, end - ']]>'.length) }
  }
  throw new XmlProblem('it is XML with a declaration, which is not accepted')
}

function openTag(xml: string, at: number) {
  const name = matchAt(NAME, xml, at)?.[0]
  if (name === undefined) throw notWellFormed()
  let attributes: Map<string, string> | null = null
  let end = at + name.length
  while (true) {
    const next = afterSpace(xml, end)
    const empty = xml.startsWith('/>', next)
    if (empty || xml[next] === '>') {
      return { name, attributes: attributes ?? NO_ATTRIBUTES, empty, end: next + (empty ? 2 : 1) }
    }
    const attribute = matchAt(ATTRIBUTE, xml, next)
    const [whole, key, double, single] = attribute ?? []
    attributes ??= new Map()
    if (whole === undefined || key === undefined || next === end || attributes.has(key)) throw notWellFormed()
    attributes.set(key, double ?? single ?? '')
    end = next + whole.length
  }
}

/** Returns the end of the rest of a closing tag. */
function closeTag(xml: string, at: number, name: string | undefined): number {
  if (name === undefined || !xml.startsWith(name, at)) throw notWellFormed()
  const end = afterSpace(xml, at + name.length)
  if (xml[end] !== '>') throw notWellFormed()
  return end + 1
}
