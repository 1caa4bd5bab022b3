import { findNodeAtLocation, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { LineCounter, parseDocument } from 'yaml'
import { lineAt, partsOf } from './text.ts'

/** A problem in a file. */
export interface Problem {
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly message: string
}

/** A path into a value: names of fields and indexes of lists. */
export type Path = readonly PropertyKey[]

/** A value as it stands in a file, with the line of each of its parts. */
export interface Source {
  readonly file: string
  readonly value: unknown
  /** The line of what stands at the path, or of what is nearest around it. */
  lineOf(path: Path): number
}

/** A value, or why there is none. */
export type Sourced = Source | Problem

export const isProblem = (sourced: Sourced): sourced is Problem => 'message' in sourced

const isSegment = (segment: PropertyKey): segment is string | number => typeof segment !== 'symbol'

/** Arrays and objects within each other: far more than any file has, far less than the parser's stack takes. */
const MOST_DEPTH = 100
/** Characters of a front matter: YAML takes time that grows faster than its length. */
const MOST_YAML = 65_536

/** Reports whether JSON nests deeper than that; the parser calls itself for each level. */
function nestsTooDeep(text: string): boolean {
  let depth = 0
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const letter = text[index] ?? ''
    if (quoted && letter === '\\') index++
    else if (letter === '"') quoted = !quoted
    else if (!quoted && '[{'.includes(letter) && ++depth > MOST_DEPTH) return true
    else if (!quoted && ']}'.includes(letter)) depth--
  }
  return false
}

/** Reads a JSON file. */
export function jsonSource(file: string, text: string): Sourced {
  if (nestsTooDeep(text)) return { file, line: 1, message: `This nests deeper than ${MOST_DEPTH} levels.` }
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false })
  const [error] = errors
  if (error !== undefined || root === undefined) {
    const name = error === undefined ? 'ValueExpected' : printParseErrorCode(error.error)
    const words = name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
    return { file, line: lineAt(text, error?.offset ?? 0), message: `This is not valid JSON (${words}).` }
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (failure) {
    return { file, line: 1, message: `This is not valid JSON (${String(failure)}).` }
  }
  const lineOf = (path: Path): number => {
    const segments = path.filter(isSegment)
    for (let length = segments.length; length > 0; length--) {
      const node = findNodeAtLocation(root, segments.slice(0, length))
      if (node !== undefined) return lineAt(text, node.offset)
    }
    return lineAt(text, root.offset)
  }
  return { file, value, lineOf }
}

/** Reads a Markdown file whose body is the field `bodyField`, unless its front matter has that. */
export function markdownSource(file: string, text: string, bodyField: string): Sourced {
  const parts = partsOf(text)
  if (parts === null)
    return { file, line: 1, message: 'The front matter has no end; end it with a line of ---.' }
  const { yaml, body, bodyLine } = parts
  if (yaml !== null && yaml.length > MOST_YAML)
    return { file, line: 1, message: `The front matter has more than ${MOST_YAML} characters.` }
  const lines = new LineCounter()
  const document = parseDocument(yaml ?? '{}', { lineCounter: lines })
  // The first line of the file is the --- above.
  const lineAtOffset = (offset: number): number => lines.linePos(offset).line + 1
  const [fault] = [...document.errors, ...document.warnings]
  if (fault !== undefined) {
    const message = fault.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '')
    return { file, line: lineAtOffset(fault.pos[0]), message: `This is not valid YAML (${message}).` }
  }
  let head: unknown
  try {
    head = document.toJS() ?? {}
  } catch (failure) {
    return { file, line: 2, message: `This is not valid YAML (${String(failure)}).` }
  }
  if (typeof head !== 'object' || head === null || Array.isArray(head))
    return { file, line: 2, message: 'The front matter must be fields, such as "name: Opening hours".' }
  if (bodyField in head && body !== '') {
    const message = `The field "${bodyField}" is in the front matter and below it; write it once.`
    return { file, line: bodyLine, message }
  }
  const lineOf = (path: Path): number => {
    const segments = path.filter(isSegment)
    if (segments[0] === bodyField && !(bodyField in head)) return bodyLine
    for (let length = segments.length; length > 0; length--) {
      const node: unknown = document.getIn(segments.slice(0, length), true)
      if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range))
        return lineAtOffset(Number(node.range[0]))
    }
    return 1
  }
  return { file, value: bodyField in head ? head : { ...head, [bodyField]: body }, lineOf }
}
