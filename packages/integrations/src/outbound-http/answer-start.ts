/** The beginning of an answer. */
export interface AnswerStart {
  readonly text: string
  /** Whether nothing followed. */
  readonly isWhole: boolean
}

/**
 * Reads an answer up to a bound, and closes the connection there. What is packed counts unpacked, so that a small
 * answer cannot fill the memory.
 */
export async function startOfAnswer({ body }: Response, bytes: number): Promise<AnswerStart> {
  const chunks: Uint8Array[] = []
  let read = 0
  // To leave the loop cancels the rest.
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    read += chunk.byteLength
    if (read > bytes) break
  }
  const start = Buffer.concat(chunks).subarray(0, bytes)
  return { text: new TextDecoder().decode(start, { stream: read > bytes }), isWhole: read <= bytes }
}
