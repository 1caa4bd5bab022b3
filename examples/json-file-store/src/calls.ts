/** What the store says to one group of its methods: which group, which method, with what. */
export interface Call {
  /** `conversations.records.list`. */
  readonly method: string
  readonly args: readonly unknown[]
}

/** How bytes stand in JSON. No value of the platform has an object of this one key. */
const BYTES = '$bytes'

const isBytes = (value: object): value is { readonly [BYTES]: string } =>
  BYTES in value && typeof value[BYTES] === 'string'

/** JSON has no undefined: omitted optional arguments stay omitted. */
const withoutTrailingUndefined = (args: readonly unknown[]): readonly unknown[] =>
  args.slice(0, args.findLastIndex(arg => arg !== undefined) + 1)

/** A call as one line of JSON. */
export const lineOf = ({ method, args }: Call): string =>
  `${JSON.stringify({ method, args: withoutTrailingUndefined(args) }, (_, value: unknown) =>
    value instanceof Uint8Array ? { [BYTES]: Buffer.from(value).toString('base64') } : value,
  )}\n`

/** The calls of a file's whole lines, and how many bytes those have. A line that was cut off at the end is left out. */
export function callsOf(file: Buffer): { readonly calls: readonly Call[]; readonly bytes: number } {
  const bytes = file.lastIndexOf('\n') + 1
  const lines = file.toString('utf8', 0, bytes).split('\n').slice(0, -1)
  return { calls: lines.map(toCall), bytes }
}

function toCall(line: string): Call {
  const call: unknown = JSON.parse(line, (_, value: unknown) =>
    typeof value === 'object' && value !== null && isBytes(value)
      ? new Uint8Array(Buffer.from(value[BYTES], 'base64'))
      : value,
  )
  if (typeof call !== 'object' || call === null || !('method' in call) || !('args' in call))
    throw new Error('The file is not one of this store.')
  const { method, args } = call
  if (typeof method !== 'string' || !Array.isArray(args))
    throw new Error('The file is not one of this store.')
  return { method, args }
}
