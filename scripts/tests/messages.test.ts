import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Which argument of these is a message for people. */
const ERRORS: ReadonlyMap<string, number> = new Map([
  ['PlatformError', 1],
  ['Failure', 0],
  ['UsageError', 0],
  ['StartError', 0],
  ['Error', 0],
  ['TypeError', 0],
  ['RangeError', 0],
])

/**
 * Messages that the contract or the reader of the command line words, and a phrase that reports of webhooks show as a
 * reason.
 */
const WORDED_ELSEWHERE = [
  'Cannot directly update main branch',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in the source
  '${hostname} has no address',
  // What a delivery of a webhook shows as the reason of an attempt.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in the source
  'The receiver did not answer within ${timeout} ms',
  'The server went away before the receiver answered',
  'External event id is not valid',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in the source
  'External event id not found in request${because}',
  "required option '--environment <environment>' not specified",
  "required option '--host <hosts...>' not specified",
]

/** What these put last brings its own full stop, or is a text from outside. */
const ENDS_ELSEWHERE = [
  'error.message',
  'handshake.message',
  'EXAMPLE',
  'CLOSED',
  'LATER_VERSION',
  'hint',
  'message',
  'wrong',
  'conceal(failure.reason)',
  "state.problem ?? 'It is being connected.'",
  'reason',
  'why',
  'reasonOf(error)',
  'z.prettifyError(result.error)',
]

const sources = (): readonly string[] =>
  execFileSync('git', ['ls-files', 'packages/*/src/*.ts', 'examples/standalone/src/*.ts'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter(file => file.endsWith('.ts'))

/** The literals that a message may be; none for what only a run can tell. */
function literalsOf(node: ts.Expression): readonly (ts.StringLiteralLike | ts.TemplateExpression)[] {
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return [node]
  if (ts.isConditionalExpression(node)) return [...literalsOf(node.whenTrue), ...literalsOf(node.whenFalse)]
  if (ts.isParenthesizedExpression(node)) return literalsOf(node.expression)
  return []
}

const named = (node: ts.Expression): string => (ts.isIdentifier(node) ? node.text : '')

/** Functions of a file that make an error of a message that they are given, with the position of that argument. */
function refusalsOf(file: ts.SourceFile): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  const inFunction = (node: ts.FunctionDeclaration | ts.ArrowFunction, name: string): void => {
    const parameters = node.parameters.map(({ name: parameter }) => parameter.getText())
    const visit = (inner: ts.Node): void => {
      const message = ts.isNewExpression(inner)
        ? inner.arguments?.[ERRORS.get(named(inner.expression)) ?? -1]
        : undefined
      if (message !== undefined && parameters.includes(named(message)))
        found.set(name, parameters.indexOf(named(message)))
      ts.forEachChild(inner, visit)
    }
    visit(node)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node)) inFunction(node, node.name?.text ?? '')
    if (ts.isArrowFunction(node) && ts.isVariableDeclaration(node.parent))
      inFunction(node, node.parent.name.getText())
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** The messages of a file, each as it stands there without its quotes. */
function messagesOf(path: string, text: string): readonly string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true)
  const refusals = refusalsOf(file)
  const constants = new Map<string, ts.Expression>()
  const messages: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined)
      constants.set(node.name.getText(), node.initializer)
    if (ts.isNewExpression(node) || ts.isCallExpression(node)) {
      const positions = ts.isNewExpression(node) ? ERRORS : refusals
      const given = node.arguments?.[positions.get(named(node.expression)) ?? -1]
      const message = given && (constants.get(named(given)) ?? given)
      if (message !== undefined)
        messages.push(...literalsOf(message).map(literal => literal.getText().slice(1, -1)))
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return messages
}

/** True for a message in the house's form: it ends in a full stop, or as a question. */
function isWhole(message: string): boolean {
  if (/[.?]$/.test(message) || WORDED_ELSEWHERE.includes(message.replaceAll("\\'", "'"))) return true
  return ENDS_ELSEWHERE.some(text => message.endsWith(`\${${text}}`))
}

it('AR7 every error message of the packages and of the standalone server ends its sentences', () => {
  const messages = sources().flatMap(file =>
    messagesOf(file, readFileSync(`${ROOT}/${file}`, 'utf8')).map(message => ({ file, message })),
  )
  expect(messages.length).toBeGreaterThan(200)
  expect(messages.filter(({ message }) => !isWhole(message))).toEqual([])
  const all = new Set(messages.map(({ message }) => message))
  expect(WORDED_ELSEWHERE.filter(message => !all.has(message))).toEqual([])
})

it.each([
  ["throw new PlatformError('A', 'There is none')", false],
  ["throw new PlatformError('A', 'There is none.')", true],
  ["throw new Failure(a ? 'It is.' : 'There is none')", false],
  ["const message = 'There is none'; throw new PlatformError('A', message)", false],
  ["throw new TypeError('There is none')", false],
  ["const no = (message: string) => new PlatformError('A', message); throw no('None')", false],
])('AR7 the check sees %s', (source, whole) => {
  expect(messagesOf('a.ts', source).every(isWhole)).toBe(whole)
})
