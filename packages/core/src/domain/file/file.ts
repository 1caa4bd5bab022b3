import type { AccountId, ConversationId } from '../ids.ts'

/** The types of files that can be recognised by their content, with the endings that their names may have. */
export const FILE_ENDINGS = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'application/pdf': ['pdf'],
  'text/plain': ['txt', 'md', 'log'],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>

/** A type that a file may have. SVG and HTML are never among them: browsers run what they hold (FI2). */
export type FileType = keyof typeof FILE_ENDINGS

/** All of them. */
export const FILE_TYPES: readonly [FileType, ...FileType[]] = [
  ...(['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const),
  ...(['application/pdf', 'text/plain'] as const),
]

/** Reports whether a type is one of pictures, which pages show and models see. */
export const isPicture = (type: string): boolean => type.startsWith('image/')

/** The speakers who send files. */
export type FileSender = 'visitor' | 'live_agent'

/** A file of a conversation. Its bytes are behind the port `Files`, under its id. */
export interface ConversationFile {
  /** UUID. */
  readonly id: string
  readonly conversationId: ConversationId
  readonly accountId: AccountId
  readonly from: FileSender
  /** A name that is safe to store under, with an ending of its type. */
  readonly name: string
  readonly type: FileType
  /** Number of bytes. */
  readonly size: number
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Characters of a name. */
const LONGEST_NAME = 120

/**
 * Returns a name of a file that is safe on every system and cannot pass for another type: its last part alone, without
 * control characters and marks that turn the direction of writing, with an ending of its type (FI2).
 */
export function safeFileName(given: string, type: FileType): string {
  const clean = given
    .slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1)
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029]/gu, '')
    .replaceAll(/["'*:;<>?|%$`]/g, '_')
    .trim()
    .replace(/^\.+/, '')
  const endings: readonly string[] = FILE_ENDINGS[type]
  const [, ending = ''] = /\.([a-z\d]+)$/i.exec(clean) ?? []
  const isRight = endings.includes(ending.toLowerCase())
  const stem = isRight ? clean.slice(0, -(ending.length + 1)) : clean
  const short = [...stem].slice(0, LONGEST_NAME).join('').trim()
  return `${short === '' ? 'file' : short}.${isRight ? ending.toLowerCase() : endings[0]}`
}

/** The words of a message of files alone: their names, so that every reader of the text has words (FI8). */
export const textOfFiles = (files: readonly { readonly name: string }[]): string =>
  files.map(({ name }) => name).join(', ')
