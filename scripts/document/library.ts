import { join } from 'node:path'
import { type ArgumentRead, libraryCalls as readLibrary } from '@colloquy/test-support/library-calls'
import { isParameterDeclaration } from 'typescript/unstable/ast/is'
import {
  SignatureKind,
  SymbolFlags,
  type Type,
  TypeFlags,
  type Symbol as TypeSymbol,
} from 'typescript/unstable/sync'
import { listSettings } from '../../packages/core/src/settings/list-settings.ts'
import { readTypes } from '../type-checker.ts'
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

let types: ReturnType<typeof readTypes> | null = null

/** The source of the platform, with what finds out about its types: read once. */
function platformTypes() {
  types ??= readTypes(PLATFORM, join(import.meta.dirname, 'tsconfig.json'))
  return types
}

const typeOf = (symbol: TypeSymbol): Type => known(platformTypes().checker.getTypeOfSymbol(symbol))

function known<T>(found: T | undefined): T {
  if (found === undefined) throw new Error(`${PLATFORM} has no such type.`)
  return found
}

/** Returns the comment of a property, with its tags. */
function commentOf(symbol: TypeSymbol): string {
  const { checker } = platformTypes()
  const tags = symbol.getJsDocTags(checker).map(({ name, text = '' }) => `@${name} ${text}`)
  return [symbol.getDocumentationComment(checker), ...tags].join('\n').trim()
}

/** The members of a type that is not null: of a union, all of them. */
function membersOf(type: Type): readonly Type[] {
  const own = known(platformTypes().checker.getNonNullableType(type))
  return own.isUnionType() ? known(own.getTypes()) : [own]
}

/**
 * The comments of all options of `createPlatform`, and of those within groups, as editors show them; empty for one
 * without.
 */
export function optionComments(): ReadonlyMap<string, string> {
  const { checker, exported } = platformTypes()
  const made = typeOf(exported('createPlatform'))
  const [signature] = checker.getSignaturesOfType(made, SignatureKind.Call)
  const comments = new Map<string, string>()
  const walk = (type: Type, prefix: string): void => {
    for (const symbol of checker.getPropertiesOfType(type)) {
      const name = `${prefix}${symbol.name}`
      comments.set(name, commentOf(symbol))
      if (GROUPS.has(name))
        for (const one of membersOf(typeOf(symbol))) if (isObject(one)) walk(one, `${name}.`)
    }
  }
  walk(known(checker.getParameterType(known(signature), 0)), '')
  return comments
}

const GROUPS: ReadonlySet<string> = new Set(
  listSettings().flatMap(({ name, info }) => (info.group === true ? [name] : [])),
)

const isObject = (type: Type): boolean => (type.flags & (TypeFlags.Object | TypeFlags.Intersection)) !== 0

/** The fields of an argument that may be left out. Of a union, those that any member can do without. */
function optionalOf(parameter: TypeSymbol): ReadonlySet<string> {
  const { checker } = platformTypes()
  const members = membersOf(typeOf(parameter)).map(
    one => new Map(checker.getPropertiesOfType(one).map(field => [field.name, field.flags])),
  )
  const names = new Set(members.flatMap(fields => [...fields.keys()]))
  const isNeeded = (name: string): boolean =>
    members.every(fields => ((fields.get(name) ?? SymbolFlags.Optional) & SymbolFlags.Optional) === 0)
  return new Set([...names].filter(name => !isNeeded(name)))
}

/** Returns the name of a parameter, with a question mark if it may be left out. */
function nameOf(parameter: TypeSymbol): string {
  const node = parameter.valueDeclaration?.resolve()
  const isOptional =
    node !== undefined &&
    isParameterDeclaration(node) &&
    (node.questionToken ?? node.initializer) !== undefined
  return `${parameter.name}${isOptional ? '?' : ''}`
}

function readCalls(): readonly LibraryCall[] {
  const { checker, exported } = platformTypes()
  const platform = checker.getDeclaredTypeOfSymbol(exported('Platform'))
  return readLibrary().map(([name, fields]) => {
    const [symbol, own] = name.split('.').reduce<readonly [TypeSymbol | null, Type]>(
      ([, of], step) => {
        const found = checker.getPropertyOfType(of, step)
        if (found === undefined) throw new Error(`The platform has no ${name}.`)
        return [found, typeOf(found)]
      },
      [null, platform],
    )
    const [signature] = checker.getSignaturesOfType(own, SignatureKind.Call)
    if (signature === undefined || symbol === null) throw new Error(`${name} is not a call.`)
    const parameters = signature.getParameters()
    const optional = parameters.map((parameter, index) =>
      typeof fields[index] === 'object' ? optionalOf(parameter) : new Set<string>(),
    )
    return { name, parameters: parameters.map(nameOf), fields, optional, doc: commentOf(symbol) }
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
