/**
 * Cuts bytes into pieces of one length, whatever chunks they come in; the last one may be shorter. Holds one piece at a
 * time.
 */
export async function* piecesOf(
  chunks: AsyncIterable<Uint8Array>,
  length: number,
): AsyncGenerator<Uint8Array, void> {
  let piece = new Uint8Array(length)
  let filled = 0
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + length - filled)
      piece.set(part, filled)
      filled += part.length
      at += part.length
      if (filled < length) continue
      yield piece
      piece = new Uint8Array(length)
      filled = 0
    }
  if (filled > 0) yield piece.subarray(0, filled)
}
