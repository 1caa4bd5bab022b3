/** Reads the numbers of a binary format, front to back. Beyond the end it reads undefined, and never throws. */
export class ByteReader {
  readonly bytes: Uint8Array
  /** The place of the next byte. */
  at = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** True once more was read or skipped than there is. */
  get isOver(): boolean {
    return this.at > this.bytes.length
  }

  skip(count: number): this {
    this.at += count
    return this
  }

  /** The next byte; undefined at the end. */
  byte(): number | undefined {
    return this.bytes[this.at++]
  }

  /** A number of that many bytes, 4 at most, the highest byte first. NaN beyond the end. */
  high(count: number): number {
    let value = 0
    for (let read = 0; read < count; read++) value = value * 256 + (this.byte() ?? Number.NaN)
    return value
  }

  /** The same, the lowest byte first. */
  low(count: number): number {
    let value = 0
    for (let read = 0; read < count; read++) value += (this.byte() ?? Number.NaN) * 256 ** read
    return value
  }

  /** Text in ASCII. Shorter at the end. */
  ascii(count: number): string {
    const text = asciiAt(this.bytes, this.at, count)
    this.at += count
    return text
  }
}

/** Returns bytes as text of one character each. */
export const asciiAt = (bytes: Uint8Array, at: number, count: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + count))
