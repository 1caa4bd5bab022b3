import { readBytes, sendBytes } from '../api.ts'
import { isPicture, type SentFile } from './sent-file.ts'

/** Larger pictures are not loaded automatically. */
const LARGEST_SHOWN = 5 * 1_048_576

/** Addresses of pictures that were read, by the ids of their files. */
const pictures = new Map<string, Promise<string>>()

/** Pictures that are kept at a time. */
const MOST_KEPT = 50

/** Sends a file to a handoff, for a message that names it. @throws BytesRefused */
export const sendFile = async (handoffId: string, file: File, abort: AbortSignal): Promise<SentFile> =>
  (await sendBytes(
    `/desk/v1/handoffs/${encodeURIComponent(handoffId)}/files?name=${encodeURIComponent(file.name)}`,
    file,
    abort,
  )) as SentFile

/** Reads a file. @throws Error if it is not there, or is not what it is said to be */
const readFile = (place: string, { content_type: type, file_id: id }: SentFile): Promise<Blob> =>
  readBytes(`${place}/files/${encodeURIComponent(id)}/content`, type)

const dataAddress = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = reject
    reader.readAsDataURL(blob)
  })

/** Returns what an `img` shows of a file, read once; null for a file that is no picture, or too large. */
export function pictureOf(place: string, file: SentFile): Promise<string> | null {
  if (!isPicture(file) || file.size > LARGEST_SHOWN) return null
  const known = pictures.get(file.file_id)
  if (known !== undefined) return known
  const read = readFile(place, file).then(dataAddress)
  pictures.set(file.file_id, read)
  const [oldest] = pictures.keys()
  if (pictures.size > MOST_KEPT && oldest !== undefined) pictures.delete(oldest)
  // It may be there at the next attempt.
  read.catch(() => pictures.delete(file.file_id))
  return read
}

/** Offers a file as a download. @throws as `readFile` */
export async function download(place: string, file: SentFile): Promise<void> {
  const href = URL.createObjectURL(await readFile(place, file))
  Object.assign(document.createElement('a'), { href, download: file.name }).click()
  setTimeout(() => URL.revokeObjectURL(href), 10_000)
}
