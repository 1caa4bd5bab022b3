import { join } from 'node:path'
import ts from 'typescript'
import { CALL_FIELDS, type Fields, type PartFields } from '../../packages/core/src/calls/call-fields.ts'
import { REPOSITORY } from '../workspace-packages.ts'

/** A call of the platform as its type tells it. */
export interface LibraryCall {
  /** `agents.testCases.list`. */
  readonly name: string
  /** The names of its arguments, with a question mark where one may be left out. */
  readonly parameters: readonly string[]
  /** The fields of each argument; null for one that is no object of named fields. */
  readonly fields: readonly (Fields | null)[]
  /** What it promises, as its comment says. */
  readonly doc: string
}

const PLATFORM = join(REPOSITORY, 'packages/core/src/platform.ts')

const isCall = (fields: PartFields[string]): fields is readonly (Fields | null)[] => Array.isArray(fields)

/** The type that a host holds as `platform`, with what finds out about it. */
function platformType(): { readonly checker: ts.TypeChecker; readonly type: ts.Type; readonly at: ts.Node } {
  const { config } = ts.readConfigFile(join(REPOSITORY, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, REPOSITORY)
  const program = ts.createProgram([PLATFORM], { ...options, noEmit: true, incremental: false })
  const source = program.getSourceFile(PLATFORM)
  const declaration = source?.statements.find(
    (node): node is ts.InterfaceDeclaration =>
      ts.isInterfaceDeclaration(node) && node.name.text === 'Platform',
  )
  if (declaration === undefined) throw new Error(`${PLATFORM} has no interface Platform.`)
  const checker = program.getTypeChecker()
  return { checker, type: checker.getTypeAtLocation(declaration), at: declaration }
}

function readCalls(): readonly LibraryCall[] {
  const { checker, type, at } = platformType()
  const walk = (of: ts.Type, table: PartFields, path: string): readonly LibraryCall[] =>
    Object.entries(table).flatMap(([name, fields]) => {
      const symbol = of.getProperty(name)
      if (symbol === undefined) throw new Error(`The platform has no ${path}${name}.`)
      const own = checker.getTypeOfSymbolAtLocation(symbol, at)
      if (!isCall(fields)) return walk(own, fields, `${path}${name}.`)
      const [signature] = own.getCallSignatures()
      if (signature === undefined) throw new Error(`${path}${name} is not a call.`)
      const parameters = signature.getParameters().map(parameter => {
        const node = parameter.valueDeclaration
        const optional = node !== undefined && ts.isParameter(node) && checker.isOptionalParameter(node)
        return `${parameter.getName()}${optional ? '?' : ''}`
      })
      const doc = ts.displayPartsToString(symbol.getDocumentationComment(checker))
      const tags = symbol
        .getJsDocTags(checker)
        .map(tag => `@${tag.name} ${ts.displayPartsToString(tag.text)}`)
      return [{ name: path + name, parameters, fields, doc: [doc, ...tags].join('\n').trim() }]
    })
  return walk(type, CALL_FIELDS, '')
}

let calls: readonly LibraryCall[] | null = null

/** Every call of the table of fields, with what its type and comment say: read once. @throws Error for one that the type has not */
export function libraryCalls(): readonly LibraryCall[] {
  calls ??= readCalls()
  return calls
}
