import type { Fields } from '@colloquy/test-support/library-calls'
import { type LibraryCall, libraryCalls } from './library.ts'
import { MADE, table } from './table.ts'

const isList = (fields: Fields[string]): fields is readonly [Fields] => Array.isArray(fields)

/** `name`, `secret?`, `handoff {mode}`, `turns [{text}]`. */
function named(fields: Fields, optional: ReadonlySet<string> = new Set()): string {
  const one = ([field, inner]: readonly [string, Fields[string]]): string => {
    const name = optional.has(field) ? `${field}?` : field
    if (inner === true) return name
    return isList(inner) ? `${name} [{${named(inner[0])}}]` : `${name} {${named(inner)}}`
  }
  return Object.entries(fields).map(one).join(', ')
}

/** The first sentence of a comment, without what it throws. */
export const firstSentence = (doc: string): string =>
  /^[^@].*?(?:[.!?](?=\s|$)|$)/s.exec(doc)?.[0].replace(/\s+/g, ' ') ?? ''

/** The codes that a comment names. */
export const codesIn = (doc: string): readonly string[] => [
  ...new Set(
    [...doc.matchAll(/@throws ([^@]*)/g)].flatMap(
      ([, text = '']) => text.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? [],
    ),
  ),
]

const partOf = ({ name }: LibraryCall): string => name.split('.').slice(0, -1).join('.')

function row({ name, parameters, fields, optional, doc }: LibraryCall): readonly string[] {
  const inputs = fields.flatMap((known, at) =>
    typeof known === 'string'
      ? []
      : [`${(parameters[at] ?? '').replace('?', '')}: \`${named(known, optional[at])}\``],
  )
  const codes = codesIn(doc).map(code => `\`${code}\``)
  return [
    `\`${name.split('.').at(-1)}(${parameters.join(', ')})\``,
    firstSentence(doc),
    inputs.join('; '),
    codes.join(', '),
  ]
}

/** The reference page about every call of a platform. */
export function libraryCallsPage(): string {
  const calls = libraryCalls()
  const parts = [...new Set(calls.map(partOf))]
  const sections = parts.map(
    part =>
      `## platform.${part}\n\n${table(
        ['Call', 'What it does', 'Fields', 'Errors'],
        calls.filter(call => partOf(call) === part).map(row),
      )}`,
  )
  return [
    `# Library calls

${MADE}

All ${calls.length} calls of what \`createPlatform\` returns, beside \`as\`, \`idle\`, \`close\` and \`closing\`. Each returns a promise, or an async iterable for what comes in slices. The whole comment of a call, with the
types of what it takes and gives, is what an editor shows. A field with a question mark may be left out (of fields within fields the type says so); one that a call does not read is refused. Errors are \`PlatformError\`s; any call may also reject with \`SCHEMA_VALIDATION_FAILED\` for what is
not what it must be, and with what its comment does not repeat: [error codes](errors.md) lists them all.
`,
    ...sections,
  ].join('\n')
}
