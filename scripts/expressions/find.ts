import type { ESTree } from 'rolldown/utils'
import { literalOf, parseSource, visitAll } from '../source-tree.ts'

/** A regular expression of a source file. */
export interface Expression {
  readonly path: string
  readonly line: number
  /** Null for one that is put together when the program runs, which nobody can check before. */
  readonly source: string | null
  readonly flags: string
}

/** Methods that make a regular expression of a text. */
const MAKERS: ReadonlySet<string> = new Set(['match', 'matchAll', 'search'])

const isMaker = (name: string): boolean => name === 'RegExp' || name.endsWith('.RegExp')

/** The source and flags of a node that is, or makes, a regular expression; null for any other node. */
function expressionOf(
  node: ESTree.Node,
  textOf: (node: ESTree.Span) => string,
): Pick<Expression, 'source' | 'flags'> | null {
  if (node.type === 'Literal' && 'regex' in node) {
    const { flags, pattern } = node.regex
    return { source: pattern, flags }
  }
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return null
  const [first, second] = node.arguments
  const { callee } = node
  if (isMaker(textOf(callee))) {
    const flags = second === undefined ? '' : literalOf(second)
    // A copy of a literal is checked where the literal stands.
    if (first?.type === 'Literal' && 'regex' in first && flags === '') return null
    return { source: flags === null ? null : literalOf(first), flags: flags ?? '' }
  }
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return null
  if (callee.computed || !MAKERS.has(callee.property.name)) return null
  const source = literalOf(first)
  return source === null ? null : { source, flags: '' }
}

/** Every regular expression of a source file, in the order of its text. */
export function expressionsOf(path: string, text: string): readonly Expression[] {
  const { lineOf, program, textOf } = parseSource(path, text)
  const found: Expression[] = []
  visitAll(program, node => {
    const expression = expressionOf(node, textOf)
    if (expression !== null) found.push({ path, line: lineOf(node), ...expression })
  })
  return found
}
