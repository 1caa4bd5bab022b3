import { asEventId, type Found, indexOf, NOTHING, pathSegments } from './path.ts'
import { scanXml, XmlProblem, type XmlToken } from './scan-xml.ts'

/** Elements from the root on, each the `index`-th of that name in the one before; a null name is any. */
interface XmlPath {
  readonly elements: readonly { readonly name: string | null; readonly index: number }[]
  /** Null for the element's text. */
  readonly attribute: string | null
}

/** Returns a dotted path's elements; null for one that can lead nowhere. Elements' names never look like an index. */
function parsePath(path: string): XmlPath | null {
  const segments = pathSegments(path)
  const last = segments.at(-1) ?? ''
  const attribute = last.startsWith('@') ? last.slice(1) : null
  const elements: { name: string; index: number | null }[] = []
  for (const segment of attribute === null ? segments : segments.slice(0, -1)) {
    const index = indexOf(segment)
    const before = elements.at(-1)
    if (index === null) elements.push({ name: segment, index: null })
    else if (before !== undefined && before.index === null) before.index = index
    // The only one of its kind is its own first.
    else if (index !== 0) return null
  }
  return { elements: elements.map(({ name, index }) => ({ name, index: index ?? 0 })), attribute }
}

/** Follows a path through the tokens of a document; `found` is the value at the path once the last token was read. */
function follow({ elements, attribute }: XmlPath, nameIn: (name: string) => string) {
  let depth = 0
  /** The number of open elements of the path. The next name of the path is searched in the last of them. */
  let matched = 0
  let namesakes = 0
  let over = elements.length === 0
  let found: string | null = null

  function opened({ name, attributes }: Extract<XmlToken, { type: 'open' }>): void {
    const wanted = elements[matched]
    if (over || depth !== matched || wanted === undefined) return
    if (wanted.name !== null && wanted.name !== nameIn(name)) return
    if (namesakes++ !== wanted.index) return
    matched++
    namesakes = 0
    if (matched === elements.length) found = attribute === null ? '' : attributeIn(attributes, attribute)
  }

  const attributeIn = (attributes: ReadonlyMap<string, string>, wanted: string): string | null =>
    [...attributes].find(([name]) => nameIn(name) === wanted)?.[1] ?? null

  return {
    see(token: XmlToken): void {
      if (token.type === 'open') {
        opened(token)
        depth++
      } else if (token.type === 'close') {
        // The path names nothing else in the document.
        if (depth === matched && depth > 0) over = true
        depth--
      } else if (!over && attribute === null && depth === elements.length && matched === depth) {
        found += token.text
      }
    },
    found: () => asEventId(found),
  }
}

const asWritten = (name: string): string => name

/** Removes the prefix, because its name is the sender's choice and may change. */
const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1)

/**
 * Returns the text of an element or attribute by its dotted path, with or without the root's name; `@name` is an
 * attribute. A name is found with its prefix as it is written, and without one under any prefix (EX1). No entity is
 * expanded. A document that is not well-formed, or declares something, is a problem (EX1, EX7).
 */
export function findInXml(xml: string, path: string): Found {
  const wanted = parsePath(path)
  const root = { name: null, index: 0 }
  const paths = wanted === null ? [] : [wanted, { ...wanted, elements: [root, ...wanted.elements] }]
  // A name as it is written comes before one that is the same without its prefix.
  const ways = [asWritten, withoutPrefix].flatMap(nameIn => paths.map(one => follow(one, nameIn)))
  try {
    for (const token of scanXml(xml)) for (const way of ways) way.see(token)
  } catch (error) {
    if (error instanceof XmlProblem) return { problem: error.message }
    throw error
  }
  for (const way of ways) {
    const id = way.found()
    if (id !== null) return { id }
  }
  return NOTHING
}
