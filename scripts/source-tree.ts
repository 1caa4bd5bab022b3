import { type ESTree, parseSync } from 'rolldown/utils'

/** A source file as its parser sees it. */
export interface SourceTree {
  readonly program: ESTree.Program
  readonly comments: readonly { readonly value: string; readonly start: number; readonly end: number }[]
  /** Returns the text of a node. */
  textOf(node: ESTree.Span): string
  /** Returns the line on which a node begins, from 1. */
  lineOf(node: ESTree.Span): number
}

/** Parses a source file. @throws Error for a text that is no program */
export function parseSource(path: string, text: string): SourceTree {
  const { comments, errors, program } = parseSync(path, text)
  const [error] = errors
  if (error !== undefined) throw new Error(`${path} cannot be parsed: ${error.message}`)
  return {
    program,
    comments,
    textOf: ({ start, end }) => text.slice(start, end),
    lineOf: ({ start }) => text.slice(0, start).split('\n').length,
  }
}

const isNode = (value: unknown): value is ESTree.Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Visits a node, and then all nodes within it, in the order of the text. */
export function visitAll(node: ESTree.Node, visit: (node: ESTree.Node) => void): void {
  visit(node)
  for (const value of Object.values(node))
    for (const inner of Array.isArray(value) ? value : [value]) if (isNode(inner)) visitAll(inner, visit)
}

/** Returns the value of a text that is written out; null for any other node. */
export function literalOf(node: ESTree.Node | undefined): string | null {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type !== 'TemplateLiteral' || node.expressions.length > 0) return null
  return node.quasis[0]?.value.cooked ?? null
}
