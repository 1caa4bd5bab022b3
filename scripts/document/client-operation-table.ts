import { METHODS } from '../../packages/client/src/http/methods.ts'
import { answerOf, type Named } from './schema-types.ts'

/** Counts the segments with which both paths begin, except for the last of the second. The result has one digit. */
function shared(before: readonly string[], path: readonly string[]): number {
  const at = path.findIndex((segment, index) => segment !== before[index])
  return Math.min(at < 0 ? path.length : at, path.length - 1, 9)
}

const groupsOf = (operations: readonly Named[], keyOf: (operation: Named) => string) =>
  [...new Set(operations.map(keyOf))].map(
    key => [key, operations.filter(operation => keyOf(operation) === key)] as const,
  )

/** A writer of calls as `callsOf` of the client reads them: the nouns of ids are told where they are new. */
function createWriter(): (operation: Named) => string {
  let before = ''
  return operation => {
    const { method, operationId } = operation
    const [, verb = '', noun = ''] = /^([a-z]+)(.*)/.exec(operationId) ?? []
    if ((METHODS[verb] ?? 'POST') !== method)
      throw new Error(`${operationId} is not a name for ${method}. See METHODS of the client.`)
    const told = noun === before ? '' : noun
    before = noun
    const type = answerOf(operation)?.type ?? '-'
    return `${verb}${told}${type === 'application/json' ? '' : `.${type}`}`
  }
}

/** All calls as the text that `callsOf` of the client reads: shorter than objects would be, compressed as well. */
export function tableOf(operations: readonly Named[]): string {
  const write = createWriter()
  const blocks = groupsOf(operations, ({ credential }) => credential).map(([credential, own]) => {
    let before: readonly string[] = []
    const lines = groupsOf(own, ({ path }) => path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1'))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([path, calls]) => {
        const segments = path.split('/')
        const depth = shared(before, segments)
        before = segments
        return `${depth}${segments.slice(depth).join('/')} ${[...calls]
          .sort((one, other) => (one.operationId < other.operationId ? 1 : -1))
          .map(write)
          .join(' ')}`
      })
    return [`@${credential}`, ...lines].join('\n')
  })
  return blocks.join('\n')
}
