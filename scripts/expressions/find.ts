import ts from 'typescript'

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

/** The text of an argument that is written out; null for any other. */
const literalOf = (node: ts.Expression | undefined): string | null =>
  node !== undefined && ts.isStringLiteralLike(node) ? node.text : null

/** The source and flags of a node that is, or makes, a regular expression; null for any other node. */
function expressionOf(node: ts.Node): Pick<Expression, 'source' | 'flags'> | null {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/')
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) }
  }
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return null
  const [first, second] = node.arguments ?? []
  if (isMaker(node.expression.getText())) {
    const flags = second === undefined ? '' : literalOf(second)
    // A copy of a literal is checked where the literal stands.
    if (first !== undefined && ts.isRegularExpressionLiteral(first) && flags === '') return null
    return { source: flags === null ? null : literalOf(first), flags: flags ?? '' }
  }
  if (!ts.isPropertyAccessExpression(node.expression) || !MAKERS.has(node.expression.name.text)) return null
  const source = literalOf(first)
  return source === null ? null : { source, flags: '' }
}

/** Every regular expression of a source file, in the order of its text. */
export function expressionsOf(path: string, text: string): readonly Expression[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true)
  const found: Expression[] = []
  const visit = (node: ts.Node): void => {
    const expression = expressionOf(node)
    if (expression !== null) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart())
      found.push({ path, line: line + 1, ...expression })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}
