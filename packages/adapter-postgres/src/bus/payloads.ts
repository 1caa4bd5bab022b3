import type { ConnectionEvents, Parcel } from '@colloquy/core/broker'

/** The server takes payloads of less than 8,000 bytes. */
const LONGEST_PAYLOAD = 7_999

/** Room for the numbers before a piece. */
const HEAD_ROOM = 48

/** A UTF-16 unit has at most so many bytes of UTF-8. */
const BYTES_PER_UNIT = 3

/** Most pieces of a batch, 16 MB. One that claims more was not written here. */
const MOST_PIECES = 2_000

/** Cuts a text into pieces of so many bytes of UTF-8 at most, never within a character. */
function piecesOf(text: string, longest: number): readonly string[] {
  if (text.length * BYTES_PER_UNIT <= longest) return [text]
  const bytes = Buffer.from(text)
  const pieces: string[] = []
  for (let start = 0; start < bytes.length; ) {
    let end = Math.min(start + longest, bytes.length)
    while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
    pieces.push(bytes.toString('utf8', start, end))
    start = end
  }
  return pieces
}

/**
 * Returns the payloads that carry a batch: its lines, one for each message, as one text that is cut where a payload is
 * full. So small messages share a payload, and large ones take several. Neither JSON nor what a bus says holds a line's
 * end.
 *
 * @param batch differs from the batches before: the server drops a payload that a transaction repeats
 */
export function writePayloads(parcels: readonly Parcel[], batch: number): readonly string[] {
  // As JSON a channel may hold halves of characters and NUL, which the server's texts cannot.
  const lines = parcels.map(([channel, text]) => `${JSON.stringify(channel)}\t${text}`)
  const pieces = piecesOf(lines.join('\n'), LONGEST_PAYLOAD - HEAD_ROOM)
  return pieces.map((piece, index) => `${batch} ${index} ${pieces.length}\n${piece}`)
}

/** A batch of which pieces are still to come. */
interface OpenBatch {
  readonly sender: number
  readonly batch: string
  readonly count: number
  readonly pieces: string[]
}

const HEAD = /^(\d{1,16}) (\d{1,6}) (\d{1,6})\n/

function channelOf(text: string): string | null {
  try {
    const channel: unknown = JSON.parse(text)
    return typeof channel === 'string' ? channel : null
  } catch {
    return null
  }
}

/**
 * Reads payloads in the order in which they come. A transaction's come all or not at all, without those of others in
 * between, so that one batch at most is open.
 *
 * @returns takes the payload of a session of the server. @throws Error when the rest of a batch is missing
 */
export function createPayloadReader({ message, foreign }: Pick<ConnectionEvents, 'message' | 'foreign'>) {
  let open: OpenBatch | null = null

  function readLines(text: string): void {
    for (const line of text.split('\n')) {
      const end = line.indexOf('\t')
      const channel = channelOf(line.slice(0, Math.max(end, 0)))
      if (channel === null) foreign()
      else message(channel, line.slice(end + 1))
    }
  }

  /** Returns the batch that a piece belongs to; null for a piece that no bus has written. */
  function batchOf(sender: number, [, batch = '', index, count]: readonly string[]): OpenBatch | null {
    const at = Number(index)
    const total = Number(count)
    if (open === null && at === 0 && total > 0 && total <= MOST_PIECES)
      return { sender, batch, count: total, pieces: [] }
    const goesOn =
      open?.sender === sender && open.batch === batch && open.count === total && open.pieces.length === at
    if (goesOn) return open
    if (open === null) return null
    open = null
    throw new Error('A batch of notices came without its end.')
  }

  return (sender: number, payload: string): void => {
    const head = HEAD.exec(payload)
    const batch = head === null && open === null ? null : batchOf(sender, head ?? [])
    if (batch === null) {
      foreign()
      return
    }
    batch.pieces.push(payload.slice(head?.[0].length))
    open = batch.pieces.length === batch.count ? null : batch
    if (open === null) readLines(batch.pieces.join(''))
  }
}
