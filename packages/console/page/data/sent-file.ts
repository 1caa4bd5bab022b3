/** A file that a message names. */
export interface SentFile {
  readonly file_id: string
  readonly name: string
  readonly content_type: string
  /** Bytes. */
  readonly size: number
}

/** Files that the host takes. */
export interface TakenFiles {
  readonly content_types: readonly string[]
  readonly max_size_bytes: number
  readonly max_per_message: number
}

const PICTURES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

export const isPicture = ({ content_type: type }: SentFile): boolean => PICTURES.includes(type)

/** Reports whether a text is the names of its files, which stand beside it anyway. */
export const isNamesOf = (text: string, files: readonly SentFile[]): boolean =>
  files.length > 0 && text === files.map(({ name }) => name).join(', ')

/** The reason why a file cannot be sent, as far as it can be known before; null if it can. */
export function problemOf(
  file: { readonly size: number; readonly type: string },
  count: number,
  { content_types: types, max_per_message: most, max_size_bytes: bytes }: TakenFiles,
): 'many' | 'type' | 'size' | null {
  if (count >= most) return 'many'
  if (!types.includes(file.type)) return 'type'
  return file.size > bytes ? 'size' : null
}
