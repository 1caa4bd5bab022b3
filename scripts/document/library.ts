import { join } from 'node:path'
import { type ArgumentRead, libraryCalls as readLibrary } from '@colloquy/test-support/library-calls'
import ts from 'typescript'
import { listSettings } from '../../packages/core/src/settings/list-settings.ts'
import { REPOSITORY } from '../workspace-packages.ts'

/** A call of the platform as its type tells it. */
export interface LibraryCall {
  /** `agents.testCases.list`. */
  readonly name: string
  /** The names of its arguments, with a question mark where one may be left out. */
  readonly parameters: readonly string[]
  /** Fields that are read of each argument. */
  readonly fields: readonly ArgumentRead[]
  /** Optional fields of each argument. */
  readonly optional: readonly ReadonlySet<string>[]
  /** Its comment, with what it promises. */
  readonly doc: string
}

const PLATFORM = join(REPOSITORY, 'packages/core/src/platform.ts')

interface Program {
  readonly checker: ts.TypeChecker
  readonly source: ts.SourceFile
}

let program: Program | null = null

/** The source of the platform, with what finds out about its types: made once. */
function readProgram(): Program {
  if (program !== null) return program
  const { config } = ts.readConfigFile(join(REPOSITORY, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, REPOSITORY)
  const made = ts.createProgram([PLATFORM], { ...options, noEmit: true, incremental: false })
  const source = made.getSourceFile(PLATFORM)
  if (source === undefined) throw new Error(`There is no ${PLATFORM}.`)
  program = { checker: made.getTypeChecker(), source }
  return program
}

/** Returns the comment of a property, with its tags. */
function commentOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const doc = ts.displayPartsToString(symbol.getDocumentationComment(checker))
  const tags = symbol.getJsDocTags(checker).map(tag => `@${tag.name} ${ts.displayPartsToString(tag.text)}`)
  return [doc, ...tags].join('\n').trim()
}

/** The type that a host holds as `platform`. */
function platformType(): { readonly checker: ts.TypeChecker; readonly type: ts.Type; readonly at: ts.Node } {
  const { checker, source } = readProgram()
  const at = source.statements.find(node => ts.isInterfaceDeclaration(node) && node.name.text === 'Platform')
  if (at === undefined) throw new Error(`${PLATFORM} has no interface Platform.`)
  return { checker, type: checker.getTypeAtLocation(at), at }
}

/**
 * The comments of all options of `createPlatform`, and of those within groups, as editors show them; empty for one
 * without.
 */
export function optionComments(): ReadonlyMap<string, string> {
  const { checker, source } = readProgram()
  const at = source.statements.find(
    node => ts.isFunctionDeclaration(node) && node.name?.text === 'createPlatform',
  )
  const [parameter] = at !== undefined && ts.isFunctionDeclaration(at) ? at.parameters : []
  if (parameter === undefined) throw new Error(`${PLATFORM} has no function createPlatform.`)
  const comments = new Map<string, string>()
  const walk = (type: ts.Type, prefix: string): void => {
    for (const symbol of type.getProperties()) {
      const name = `${prefix}${symbol.getName()}`
      comments.set(name, commentOf(symbol, checker))
      const own = checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(symbol, parameter))
      const groups = own.isUnion() ? own.types : [own]
      if (GROUPS.has(name)) for (const one of groups) if (isObject(one)) walk(one, `${name}.`)
    }
  }
  walk(checker.getTypeAtLocation(parameter), '')
  return comments
}

const GROUPS: ReadonlySet<string> = new Set(
  listSettings().flatMap(({ name, info }) => (info.group === true ? [name] : [])),
)

const isObject = (type: ts.Type): boolean =>
  (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0

/** The fields of an argument that may be left out. Of a union, those that any member can do without. */
function optionalOf(parameter: ts.Symbol, checker: ts.TypeChecker, at: ts.Node): ReadonlySet<string> {
  const type = checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(parameter, at))
  const members = type.isUnion() ? type.types : [type]
  const names = new Set(members.flatMap(one => one.getProperties().map(field => field.getName())))
  const isNeeded = (name: string) =>
    members.every(one => {
      const field = one.getProperty(name)
      return field !== undefined && (field.flags & ts.SymbolFlags.Optional) === 0
    })
  return new Set([...names].filter(name => !isNeeded(name)))
}

function readCalls(): readonly LibraryCall[] {
  const { checker, type, at } = platformType()
  return readLibrary().map(([name, fields]) => {
    const [symbol, own] = name.split('.').reduce<readonly [ts.Symbol | null, ts.Type]>(
      ([, of], step) => {
        const found = of.getProperty(step)
        if (found === undefined) throw new Error(`The platform has no ${name}.`)
        return [found, checker.getTypeOfSymbolAtLocation(found, at)]
      },
      [null, type],
    )
    const [signature] = own.getCallSignatures()
    if (signature === undefined || symbol === null) throw new Error(`${name} is not a call.`)
    const optional = signature
      .getParameters()
      .map((parameter, index) =>
        typeof fields[index] === 'object' ? optionalOf(parameter, checker, at) : new Set<string>(),
      )
    const parameters = signature.getParameters().map(parameter => {
      const node = parameter.valueDeclaration
      const isOptional = node !== undefined && ts.isParameter(node) && checker.isOptionalParameter(node)
      return `${parameter.getName()}${isOptional ? '?' : ''}`
    })
    return { name, parameters, fields, optional, doc: commentOf(symbol, checker) }
  })
}

let calls: readonly LibraryCall[] | null = null

/**
 * Every call that is defined, with what its type and comment say: read once.
 * @throws Error for one that the type has not
 */
export function libraryCalls(): readonly LibraryCall[] {
  calls ??= readCalls()
  return calls
}
