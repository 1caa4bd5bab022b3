import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ERROR_STATUS } from '../../packages/core/src/errors.ts'
import { parseSource, visitAll } from '../source-tree.ts'
import { keptFiles } from '../specification.ts'
import { REPOSITORY } from '../workspace-packages.ts'
import { libraryCalls } from './library.ts'
import { codesIn } from './library-calls-page.ts'
import { MADE, table } from './table.ts'

const SOURCE = 'packages/core/src/errors.ts'

const read = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8')

/** Returns the comment of each code. @throws Error for a code without one */
function whenOf(): ReadonlyMap<string, string> {
  const text = read(SOURCE)
  const { comments, program } = parseSource(SOURCE, text)
  const said = new Map<string, string>()
  visitAll(program, node => {
    if (node.type !== 'Property' || node.key.type !== 'Identifier') return
    const { name } = node.key
    if (!Object.hasOwn(ERROR_STATUS, name)) return
    const comment = comments.findLast(({ end }) => end <= node.start)
    if (comment === undefined || text.slice(comment.end, node.start).trim() !== '')
      throw new Error(`${SOURCE} does not say when ${name} is answered.`)
    const lines = comment.value.split('\n').map(line => line.replace(/^\s*\*+/, '').trim())
    said.set(name, lines.join('\n').trim())
  })
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
