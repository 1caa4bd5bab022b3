import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { keptFiles } from '../specification.ts'
import { REPOSITORY } from '../workspace-packages.ts'

/** Messages that the contract or the reader of the command line words, and reasons of a webhook's delivery. */
const WORDED_ELSEWHERE = [
  'Cannot directly update main branch',
  ' has no address',
  'The receiver did not answer within ',
  'The server went away before the receiver answered',
  'External event id is not valid',
  'External event id not found in request',
  "required option '--",
]

/** What a message puts last brings its own full stop, or is a text from outside. */
const ENDS_ELSEWHERE =
  /\$\{(?:\w+\.message|EXAMPLE|CLOSED|LATER_VERSION|hint|message|wrong|reason|why|conceal\(failure\.reason\)|state\.problem \?\? '[^']*'|reasonOf\(error\)|z\.prettifyError\(result\.error\))\}$/

/** The texts that stand where an error takes its message, each without its quotes. */
const messagesOf = (source: string): readonly string[] =>
  [
    ...source.matchAll(
      /new (?:PlatformError\(\s*[^,()]+,|(?:Failure|UsageError|StartError|Error|TypeError|RangeError)\()\s*(?:[^'"`,()]+\? )?('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)/g,
    ),
  ].map(([, literal = '']) => literal.slice(1, -1))

/** True for a message in the house's form: it ends in a full stop, or as a question; or only a run can tell. */
const isWhole = (message: string): boolean =>
  /[.?]$|\$\{[^}]*$/.test(message) ||
  ENDS_ELSEWHERE.test(message) ||
  WORDED_ELSEWHERE.some(words => message.replaceAll("\\'", "'").includes(words))

it('AR7 every error message of the packages and of the standalone server ends its sentences', () => {
  const sources = keptFiles('packages/*/src/*.ts', 'examples/standalone/src/*.ts')
  const messages = sources.flatMap(file =>
    messagesOf(readFileSync(join(REPOSITORY, file), 'utf8')).map(message => ({ file, message })),
  )
  expect(messages.length).toBeGreaterThan(200)
  expect(messages.filter(({ message }) => !isWhole(message))).toEqual([])
})

it.each([
  ["throw new PlatformError('A', 'There is none')", false],
  ["throw new PlatformError('A', 'There is none.')", true],
  ["throw new Failure(a ? 'It is' : 'There is none.')", false],
  ['throw new TypeError(`There is none`)', false],
])('AR7 the check sees %s', (source, whole) => {
  const found = messagesOf(source)
  expect(found).toHaveLength(1)
  expect(found.every(isWhole)).toBe(whole)
})
