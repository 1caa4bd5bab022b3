import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { asEventId, indexOf, pathSegments, step } from './path.ts'

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  processEntities: false,
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
})

/** What may hold any text and so also the letters of a declaration, and how it ends. */
const OPAQUE = [
  { start: '<!--', end: '-->' },
  { start: '<![CDATA[', end: ']]>' },
  { start: '<?', end: '?>' },
] as const

/** True when a document declares something: `<!` that begins no comment and no character data. */
function hasDeclaration(xml: string): boolean {
  let at = xml.indexOf('<')
  while (at !== -1) {
    const opaque = OPAQUE.find(({ start }) => xml.startsWith(start, at))
    if (opaque === undefined && xml.startsWith('<!', at)) return true
    const end = opaque === undefined ? at + 1 : xml.indexOf(opaque.end, at + opaque.start.length)
    if (end === -1) return false
    at = xml.indexOf('<', end)
  }
  return false
}

/** One step by an element's name, an attribute's `@name`, or an element's index among its namesakes; the first stands for all. */
function stepIntoXml(value: unknown, segment: string): unknown {
  if (indexOf(segment) !== null)
    return Array.isArray(value) ? step(value, segment) : segment === '0' ? value : undefined
  return step(Array.isArray(value) ? value[0] : value, segment)
}

function textOf(value: unknown): string | null {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return asEventId(typeof first === 'object' ? step(first, '#text') : first)
}

/**
 * The text of an element or attribute by its dotted path, with or without the root's name; `@name` is an attribute. No
 * entity is expanded. Null when it is not there, and for a document that is not well-formed or declares a type.
 */
export function findInXml(xml: string, path: string): string | null {
  if (hasDeclaration(xml)) return null
  try {
    if (XMLValidator.validate(xml) !== true) return null
    const document: unknown = parser.parse(xml)
    const segments = pathSegments(path)
    const inside = typeof document === 'object' && document !== null ? Object.values(document)[0] : undefined
    return (
      textOf(segments.reduce<unknown>(stepIntoXml, document)) ??
      textOf(segments.reduce<unknown>(stepIntoXml, inside))
    )
  } catch {
    return null
  }
}
