/** Environment of a guide's commands: the values of its variables, and the files that it sends. */
export interface GuideSetting {
  readonly variables: Readonly<Record<string, string>>
  /** By name. @default none */
  readonly files?: Readonly<Record<string, Uint8Array<ArrayBuffer>>>
}

/** The commands of curl on a page, in order. */
export const commandsOf = (page: string): readonly string[] =>
  Array.from(page.matchAll(/^```sh\n(.*?)^```/gms), ([, block = '']) => block)
    .flatMap(block => block.replaceAll('\\\n', ' ').split('\n'))
    .filter(line => line.startsWith('curl '))

/** The words of a command. Variables stand for nothing within single quotes. */
function wordsOf(command: string, { variables }: GuideSetting): readonly string[] {
  const put = (text: string): string =>
    text.replaceAll(/\\(.)/g, '$1').replaceAll(/\$([A-Z_]+)/g, (_, name: string) => {
      const value = variables[name]
      if (value === undefined) throw new Error(`The page does not say what $${name} is.`)
      return value
    })
  return Array.from(
    command.matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|(\S+)/g),
    ([, plain, quoted, word]) => plain ?? put(quoted ?? word ?? ''),
  )
}

function sentOf(name: string, value: string, { files = {} }: GuideSetting): Uint8Array<ArrayBuffer> | string {
  if (name !== '--data-binary') return value
  const file = files[value.replace(/^@/, '')]
  if (file === undefined) throw new Error(`The test has no file ${value}.`)
  return file
}

/**
 * The request that a command of curl makes, as it comes to a server behind a proxy that ends TLS.
 *
 * @throws Error for what the test has no value, or no meaning, for
 */
export function requestOf(command: string, setting: GuideSetting): Request {
  const [curl, ...words] = wordsOf(command, setting)
  if (curl !== 'curl') throw new Error(`This is no command of curl: ${command}`)
  const headers = new Headers({ 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' })
  let [method, url] = ['GET', '']
  let body: Uint8Array<ArrayBuffer> | string | null = null
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (!word.startsWith('-')) url = word
    else {
      at++
      const value = words[at] ?? ''
      const [name = '', ...rest] = value.split(': ')
      if (word === '-X') method = value
      else if (word === '-H') headers.set(name, rest.join(': '))
      else if (word === '-d' || word === '--data-binary') body = sentOf(word, value, setting)
      else throw new Error(`The test knows no ${word}.`)
    }
  }
  return new Request(url, { method, headers, body })
}
