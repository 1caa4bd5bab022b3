import type { SentFile } from '@colloquy/core'
import type { HistoryLine, RuntimeTurn } from '@colloquy/core/runtime'
import type { RuntimeSettings } from './options.ts'

/** A picture that the model sees. */
export interface Picture {
  readonly name: string
  readonly mediaType: string
  readonly data: Uint8Array
}

/** The files of the visitor's message. */
export const filesOf = ({ input }: RuntimeTurn): readonly SentFile[] =>
  input.type === 'message' ? (input.files ?? []) : []

/**
 * Reads the newest pictures of the conversation, those of this message first: at most `pictures`, each of at most
 * `pictureBytes` (FI50). One that was removed meanwhile is left out.
 */
export async function readPictures(
  turn: RuntimeTurn,
  history: readonly HistoryLine[],
  { pictures: most, pictureBytes }: Pick<RuntimeSettings, 'pictures' | 'pictureBytes'>,
): Promise<readonly Picture[]> {
  if (most < 1) return []
  const files = [...filesOf(turn), ...history.toReversed().flatMap(line => line.files ?? [])]
  const chosen = files
    .filter(({ content_type: type, size }) => type.startsWith('image/') && size <= pictureBytes)
    .slice(0, most)
  const read = chosen.map(async ({ content_type: mediaType, file_id: id, name }) => {
    const data = await turn.readFile(id)
    return data === null ? [] : [{ name, mediaType, data }]
  })
  return (await Promise.all(read)).flat()
}

/** Returns the text of a line, with the names of its files where the text does not say them. */
export function withFiles(text: string, files: readonly SentFile[] = []): string {
  if (files.length === 0) return text
  const names = files.map(({ name }) => name).join(', ')
  return text === names ? `[Files: ${names}]` : `${text}\n[Files: ${names}]`
}
