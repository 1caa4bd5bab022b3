import { ByteReader } from './byte-reader.ts'

/** The shape of a picture: its size, and the place after its last byte. Null for one that is cut off or broken. */
export type PictureShape = { readonly width: number; readonly height: number; readonly end: number } | null

/** The larger of two sizes. */
const larger = (one: Size, other: Size): Size => ({
  width: Math.max(one.width, other.width),
  height: Math.max(one.height, other.height),
})

interface Size {
  readonly width: number
  readonly height: number
}

/** Reads a PNG, chunk by chunk up to its `IEND`. */
export function shapeOfPng(bytes: Uint8Array): PictureShape {
  const reader = new ByteReader(bytes).skip(8)
  let size: Size | null = null
  for (let hasData = false; ; ) {
    const length = reader.high(4)
    const type = reader.ascii(4)
    if (!/^[a-z]{4}$/i.test(type) || Number.isNaN(length)) return null
    const body = reader.at
    if (size === null) {
      if (type !== 'IHDR' || length !== 13) return null
      size = { width: reader.high(4), height: reader.high(4) }
    }
    hasData ||= type === 'IDAT'
    // The check sum follows the body.
    reader.at = body + length + 4
    if (reader.isOver) return null
    if (type === 'IEND') return hasData && length === 0 ? { ...size, end: reader.at } : null
  }
}

/** Markers of JPEG that stand alone. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)

/** Markers that begin a frame, and say its size. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** Puts a reader on the marker after coded data. False at the end of the bytes. */
function passCoded(reader: ByteReader): boolean {
  const { bytes } = reader
  for (;;) {
    const at = bytes.indexOf(0xff, reader.at)
    const next = at < 0 ? undefined : bytes[at + 1]
    if (next === undefined) return false
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) {
      reader.at = at
      return true
    }
    reader.at = at + 2
  }
}

/** Reads a JPEG, segment by segment up to the mark of its end. */
export function shapeOfJpeg(bytes: Uint8Array): PictureShape {
  const reader = new ByteReader(bytes).skip(2)
  let size: Size | null = null
  for (let hasData = false; ; ) {
    if (reader.byte() !== 0xff) return null
    let marker = reader.byte()
    while (marker === 0xff) marker = reader.byte()
    if (marker === undefined || marker === 0 || marker === 0xd8) return null
    if (marker === 0xd9) return size !== null && hasData ? { ...size, end: reader.at } : null
    if (isBare(marker)) continue
    const start = reader.at
    const length = reader.high(2)
    if (!(length >= 2)) return null
    if (isFrame(marker)) {
      const height = reader.skip(1).high(2)
      size = larger({ width: reader.high(2), height }, size ?? { width: 0, height: 0 })
    }
    reader.at = start + length
    if (reader.isOver) return null
    if (marker !== 0xda) continue
    hasData = true
    if (!passCoded(reader)) return null
  }
}

/** Passes blocks of up to 255 bytes, the last of which is empty. False if they are cut off. */
function passBlocks(reader: ByteReader): boolean {
  for (;;) {
    const length = reader.byte()
    if (length === undefined) return false
    if (length === 0) return true
    reader.skip(length)
  }
}

/** Bytes of the color table that these flags announce. */
const colorBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1))

/** Reads a GIF, block by block up to its trailer. */
export function shapeOfGif(bytes: Uint8Array): PictureShape {
  const reader = new ByteReader(bytes).skip(6)
  let size: Size = { width: reader.low(2), height: reader.low(2) }
  reader.skip(2 + colorBytes(bytes[10] ?? 0) + 1)
  for (let hasData = false; ; ) {
    const block = reader.byte()
    if (block === 0x3b) return hasData ? { ...size, end: reader.at } : null
    if (block === 0x21) reader.skip(1)
    else if (block === 0x2c) {
      reader.skip(4)
      size = larger({ width: reader.low(2), height: reader.low(2) }, size)
      // The byte after the colors is the first width of a code.
      reader.skip(colorBytes(reader.byte() ?? 0) + 1)
      hasData = true
    } else return null
    if (!passBlocks(reader)) return null
  }
}

/** Returns the size that a chunk of a WebP says. Null for other chunks. */
function sizeOfChunk(type: string, reader: ByteReader): Size | null {
  switch (type) {
    case 'VP8X':
      reader.skip(4)
      return { width: reader.low(3) + 1, height: reader.low(3) + 1 }
    case 'VP8 ': {
      reader.skip(6)
      return { width: reader.low(2) % 0x4000, height: reader.low(2) % 0x4000 }
    }
    case 'VP8L': {
      const packed = reader.skip(1).low(4)
      return { width: (packed % 0x4000) + 1, height: (Math.floor(packed / 0x4000) % 0x4000) + 1 }
    }
    default:
      return null
  }
}

const WITH_DATA: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'ANMF'])

/** Reads a WebP, chunk by chunk up to the end that its head announces. */
export function shapeOfWebp(bytes: Uint8Array): PictureShape {
  const reader = new ByteReader(bytes).skip(4)
  const end = reader.low(4) + 8
  reader.skip(4)
  if (!(end <= bytes.length)) return null
  let size: Size | null = null
  let hasData = false
  while (reader.at < end) {
    const type = reader.ascii(4)
    const length = reader.low(4)
    if (Number.isNaN(length)) return null
    const body = reader.at
    const said = sizeOfChunk(type, reader)
    if (said !== null) size = larger(said, size ?? said)
    hasData ||= WITH_DATA.has(type)
    reader.at = body + length + (length % 2)
  }
  return size !== null && hasData && reader.at === end ? { ...size, end } : null
}
