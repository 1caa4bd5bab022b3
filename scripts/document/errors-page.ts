import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { ERROR_STATUS } from '../../packages/core/src/errors.ts'
import { keptFiles } from '../specification.ts'
import { REPOSITORY } from '../workspace-packages.ts'
import { libraryCalls } from './library.ts'
import { codesIn } from './library-calls-page.ts'
import { MADE, table } from './table.ts'

const SOURCE = 'packages/core/src/errors.ts'

const read = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8')

/** Returns the comment of each code. @throws Error for a code without one */
function whenOf(): ReadonlyMap<string, string> {
  const source = ts.createSourceFile(SOURCE, read(SOURCE), ts.ScriptTarget.Latest, true)
  const said = new Map<string, string>()
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && Object.hasOwn(ERROR_STATUS, node.name.getText())) {
      const [comment] = ts.getJSDocCommentsAndTags(node)
      const text = comment === undefined ? undefined : ts.getTextOfJSDocComment(comment.comment)
      if (text === undefined)
        throw new Error(`${SOURCE} does not say when ${node.name.getText()} is answered.`)
      said.set(node.name.getText(), text)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return said
}

/** The room of a source: `usecases/agents`, `http/routes` or the package's name. */
function roomOf(path: string): string {
  const [, name = '', , ...rest] = path.split('/')
  return name === 'core' ? rest.slice(0, -1).slice(0, 2).join('/') : name
}

/** The rooms whose sources name each code. */
function roomsOf(): ReadonlyMap<string, readonly string[]> {
  const rooms = new Map<string, Set<string>>()
  const sources = keptFiles('packages/*/src/*.ts').filter(
    path =>
      path !== SOURCE &&
      !path.includes('/testing/') &&
      !path.includes('/http/answers/') &&
      // The client names what servers answer.
      !path.startsWith('packages/client/'),
  )
  for (const path of sources)
    for (const [, code = ''] of read(path).matchAll(/'([A-Z]+(?:_[A-Z]+)*)'/g))
      if (Object.hasOwn(ERROR_STATUS, code)) rooms.set(code, (rooms.get(code) ?? new Set()).add(roomOf(path)))
  return new Map([...rooms].map(([code, own]) => [code, [...own].sort()]))
}

/** The reference page about every error code. */
export function errorsPage(): string {
  const when = whenOf()
  const rooms = roomsOf()
  const calls = libraryCalls()
  const rows = Object.entries(ERROR_STATUS).map(([code, status]) => {
    const saying = calls.filter(({ doc }) => codesIn(doc).includes(code)).map(({ name }) => `\`${name}\``)
    return [
      `\`${code}\``,
      String(status),
      when.get(code) ?? '',
      saying.join(', '),
      (rooms.get(code) ?? []).map(room => `\`${room}\``).join(', '),
    ]
  })
  return `# Error codes

${MADE}

Every code of a \`PlatformError\`, with the status that HTTP answers. Its body, and the order in which requests are checked, is on the page of the contract about [errors](../contract/errors.md); what sockets close with is on [wire events](wire-events.md).
"Calls" are those of the [library](library-calls.md) whose comments name the code; their [routes](http-routes.md) answer with it as well. "Named in" are the folders of \`packages/core/src\`, and other
packages, whose sources name it: \`http\` stands for every route.

${table(['Code', 'Status', 'When', 'Calls', 'Named in'], rows)}`
}
