import { readFileSync } from 'node:fs'
import type { ESTree } from 'rolldown/utils'
import { literalOf, parseSource, visitAll } from '../../../../scripts/source-tree.ts'

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
  const { lineOf, program, textOf } = parseSource(path, text)
  const imports: { specifier: string; typeOnly: boolean }[] = []
  const exports: string[] = []
  const impurities: string[] = []
  const names = new Set<ESTree.Node>()

  visitAll(program, node => {
    for (const name of namesIn(node)) names.add(name)
    const imported = importOf(node)
    if (imported) imports.push(imported)
    if (node.type === 'ExportAllDeclaration') exports.push('*')
    if (node.type === 'ExportNamedDeclaration')
      for (const { exported } of node.specifiers)
        exports.push('name' in exported ? exported.name : exported.value)
    const isVariable = node.type === 'Identifier' && IMPURE_GLOBALS.has(node.name) && !names.has(node)
    if (isVariable || isImpure(node, textOf)) impurities.push(`${lineOf(node)}: ${textOf(node)}`)
  })
  return { imports, exports, impurities }
}

/** The interfaces that a file declares, each with the types that it names. */
export function interfacesOf(path: string): ReadonlyMap<string, readonly string[]> {
  const { program, textOf } = parseSource(path, readFileSync(path, 'utf8'))
  const found = new Map<string, readonly string[]>()
  visitAll(program, node => {
    if (node.type !== 'TSInterfaceDeclaration') return
    const types: string[] = []
    visitAll(node, inner => {
      if (inner.type === 'TSTypeReference') types.push(textOf(inner.typeName))
      if (inner.type === 'TSInterfaceHeritage') types.push(textOf(inner.expression))
    })
    found.set(node.id.name, types)
  })
  return found
}

function importOf(node: ESTree.Node): SourceFacts['imports'][number] | null {
  if (node.type === 'ImportDeclaration')
    return { specifier: node.source.value, typeOnly: node.importKind === 'type' }
  if ((node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration') && node.source)
    return { specifier: node.source.value, typeOnly: node.exportKind === 'type' }
  if (node.type === 'TSImportType') return { specifier: node.source.value, typeOnly: true }
  if (node.type === 'ImportExpression')
    return { specifier: literalOf(node.source) ?? '(computed)', typeOnly: false }
  return null
}

const isNamed = (node: ESTree.Node, name: string): boolean => node.type === 'Identifier' && node.name === name

function isImpure(node: ESTree.Node, textOf: (node: ESTree.Span) => string): boolean {
  if (node.type === 'MemberExpression' && !node.computed) {
    const name = textOf(node.property)
    if (isNamed(node.object, 'globalThis')) return IMPURE_GLOBALS.has(name)
    return MEMBER_NAMES.has(name) && IMPURE_MEMBERS.has(textOf(node).replaceAll('globalThis.', ''))
  }
  if (node.type === 'NewExpression' && isNamed(node.callee, 'Date')) return node.arguments.length === 0
  return node.type === 'CallExpression' && isNamed(node.callee, 'Date')
}

/** The identifiers within a node that only name a property, a member or a parameter. */
function namesIn(node: ESTree.Node): readonly ESTree.Node[] {
  switch (node.type) {
    case 'MemberExpression':
      return node.computed ? [] : [node.property]
    case 'Property':
    case 'MethodDefinition':
    case 'TSPropertySignature':
    case 'TSMethodSignature':
      return [...(node.computed ? [] : [node.key]), ...parametersOf(node)]
    case 'ObjectPattern':
      return node.properties.map(property =>
        boundBy(property.type === 'Property' ? property.value : property.argument),
      )
    case 'ImportSpecifier':
      return [node.local]
    case 'ExportSpecifier':
      return [node.exported]
    default:
      return parametersOf(node)
  }
}

const parametersOf = (node: ESTree.Node): readonly ESTree.Node[] =>
  'params' in node && Array.isArray(node.params) ? node.params.map(boundBy) : []

/** The identifier of a parameter or of a field of a pattern, which may have a default. */
function boundBy(node: ESTree.Node): ESTree.Node {
  if (node.type === 'TSParameterProperty') return boundBy(node.parameter)
  if (node.type === 'RestElement') return boundBy(node.argument)
  return node.type === 'AssignmentPattern' ? node.left : node
}
