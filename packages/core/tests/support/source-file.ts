import { readFileSync } from 'node:fs'
import ts from 'typescript'

/** What the architecture rules look at in one source file. */
export interface SourceFacts {
  /** Everything imported or re-exported, statically or by `import()`. */
  readonly imports: readonly { readonly specifier: string; readonly typeOnly: boolean }[]
  /** Names that `export { … }` and `export { … } from` give out; `*` for all of another file's. */
  readonly exports: readonly string[]
  /** Uses of clocks, timers, randomness, the console and names that only Node has, each as `line: text`. */
  readonly impurities: readonly string[]
}

const IMPURE_GLOBALS = new Set([
  'Buffer',
  'clearImmediate',
  'clearInterval',
  'clearTimeout',
  'console',
  'crypto',
  'performance',
  'process',
  'setImmediate',
  'setInterval',
  'setTimeout',
])

const IMPURE_MEMBERS = new Set(['AbortSignal.timeout', 'Date.now', 'Math.random'])
const MEMBER_NAMES = new Set(['timeout', 'now', 'random'])

/** Reads the facts of a file; `text` may be given instead of what is on disk. */
export function readSource(path: string, text: string = readFileSync(path, 'utf8')): SourceFacts {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true)
  const imports: { specifier: string; typeOnly: boolean }[] = []
  const exports: string[] = []
  const impurities: string[] = []

  const visit = (node: ts.Node): void => {
    const imported = importOf(node)
    if (imported) imports.push(imported)
    if (ts.isExportDeclaration(node)) {
      const clause = node.exportClause
      if (clause && ts.isNamedExports(clause)) exports.push(...clause.elements.map(({ name }) => name.text))
      else exports.push('*')
    }
    if (isImpure(node)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart())
      impurities.push(`${line + 1}: ${node.getText()}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return { imports, exports, impurities }
}

/** The interfaces that a file declares, each with the types that it names. */
export function interfacesOf(path: string): ReadonlyMap<string, readonly string[]> {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ESNext, true)
  const typesIn = (node: ts.Node): readonly string[] => [
    ...(ts.isTypeReferenceNode(node) ? [node.typeName.getText()] : []),
    ...(ts.isExpressionWithTypeArguments(node) ? [node.expression.getText()] : []),
    ...node.getChildren().flatMap(typesIn),
  ]
  return new Map(
    file.statements.filter(ts.isInterfaceDeclaration).map(node => [node.name.text, typesIn(node)]),
  )
}

function importOf(node: ts.Node): SourceFacts['imports'][number] | null {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier))
    return {
      specifier: node.moduleSpecifier.text,
      typeOnly: node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword,
    }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier))
    return { specifier: node.moduleSpecifier.text, typeOnly: node.isTypeOnly }
  if (
    ts.isImportTypeNode(node) &&
    ts.isLiteralTypeNode(node.argument) &&
    ts.isStringLiteral(node.argument.literal)
  )
    return { specifier: node.argument.literal.text, typeOnly: true }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [argument] = node.arguments
    return {
      specifier: argument && ts.isStringLiteral(argument) ? argument.text : '(computed)',
      typeOnly: false,
    }
  }
  return null
}

const isNamed = (node: ts.Node, name: string): boolean => ts.isIdentifier(node) && node.text === name

function isImpure(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) {
    if (isNamed(node.expression, 'globalThis')) return IMPURE_GLOBALS.has(node.name.text)
    if (!MEMBER_NAMES.has(node.name.text)) return false
    return IMPURE_MEMBERS.has(node.getText().replaceAll('globalThis.', ''))
  }
  if (ts.isNewExpression(node) && isNamed(node.expression, 'Date')) return (node.arguments?.length ?? 0) === 0
  if (ts.isCallExpression(node) && isNamed(node.expression, 'Date')) return true
  return ts.isIdentifier(node) && IMPURE_GLOBALS.has(node.text) && isVariable(node)
}

/** False where the identifier only names a property, a member, a parameter or a type. */
function isVariable({ parent, text }: ts.Identifier): boolean {
  if (ts.isPropertyAccessExpression(parent)) return parent.expression.getText() === text
  if (ts.isShorthandPropertyAssignment(parent)) return true
  const names =
    ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isMethodSignature(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isBindingElement(parent) ||
    ts.isParameter(parent)
  return !(names && parent.name?.getText() === text)
}
