import { asciiAt } from './byte-reader.ts'
import { FILE_TYPES, type FileType } from './file.ts'
import { type PictureShape, shapeOfGif, shapeOfJpeg, shapeOfPng, shapeOfWebp } from './pictures.ts'

/** The bounds of what a host takes. */
export interface InspectionRules {
  readonly types: readonly FileType[]
  /** Bytes of a file. */
  readonly bytes: number
  /** Width times height of a picture. */
  readonly pixels: number
}

/** A file that is taken, or the reason in words why it is refused. */
export type Inspection =
  | { readonly type: FileType; readonly content: Uint8Array; readonly refusal: null }
  | { readonly refusal: string }

const refuse = (refusal: string): Inspection => ({ refusal })

/** Contents that are named in refusals, by how they begin. */
const BEGINNINGS: readonly (readonly [beginning: string, name: string, type: FileType | null])[] = [
  ['\x89PNG\r\n\x1a\n', 'image/png', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg', 'image/jpeg'],
  ['GIF87a', 'image/gif', 'image/gif'],
  ['GIF89a', 'image/gif', 'image/gif'],
  ['%PDF-', 'application/pdf', 'application/pdf'],
  ['PK\x03\x04', 'a ZIP archive', null],
  ['PK\x05\x06', 'a ZIP archive', null],
  ['\x1f\x8b', 'a gzip archive', null],
  ['Rar!', 'a RAR archive', null],
  ['7z\xbc\xaf\x27\x1c', 'a 7z archive', null],
  ['MZ', 'a program', null],
  ['\x7fELF', 'a program', null],
  ['\xcf\xfa\xed\xfe', 'a program', null],
  ['#!', 'a script', null],
  ['{\\rtf', 'rich text', null],
]

const SPACE = /^[\uFEFF\s]+/
const MARKUP = /^<[!?/a-z]/i

/** Recognises a content by its first bytes. `type` is null for contents that are never taken. */
function recognise(bytes: Uint8Array): { readonly name: string; readonly type: FileType | null } {
  const start = asciiAt(bytes, 0, 16)
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP')
    return { name: 'image/webp', type: 'image/webp' }
  const known = BEGINNINGS.find(([beginning]) => start.startsWith(beginning))
  if (known !== undefined) return { name: known[1], type: known[2] }
  const words = new TextDecoder().decode(bytes.subarray(0, 1_024)).replace(SPACE, '')
  if (MARKUP.test(words)) return { name: 'HTML, SVG or XML', type: null }
  return isPlainText(bytes)
    ? { name: 'text/plain', type: 'text/plain' }
    : { name: 'something unknown', type: null }
}

/** Control characters that no plain text has: all but tabs, line ends and form feeds. */
function isControl(byte: number): boolean {
  return (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d) || byte === 0x7f
}

/** Reports whether bytes are UTF-8 without control characters. */
function isPlainText(bytes: Uint8Array): boolean {
  if (bytes.some(isControl)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

const ZIP_END = [0x50, 0x4b, 0x05, 0x06] as const
const ZIP_END_BYTES = 22
const LONGEST_ZIP_COMMENT = 65_535

/** Reports whether programs that unpack archives would take the bytes for one: they look for its end alone. */
function endsAsZip(bytes: Uint8Array): boolean {
  const last = bytes.length - ZIP_END_BYTES
  for (let at = last; at >= 0 && at >= last - LONGEST_ZIP_COMMENT; at--)
    if (ZIP_END.every((byte, offset) => bytes[at + offset] === byte)) return true
  return false
}

const PICTURES: Partial<Record<FileType, (bytes: Uint8Array) => PictureShape>> = {
  'image/png': shapeOfPng,
  'image/jpeg': shapeOfJpeg,
  'image/gif': shapeOfGif,
  'image/webp': shapeOfWebp,
}

const CUT_OFF = 'The file is cut off or broken. Send it again whole.'
const MORE_BEHIND = 'The file has further content behind its end. Send the file alone.'

function inspectPicture(shape: PictureShape, type: FileType, bytes: Uint8Array, pixels: number): Inspection {
  if (shape === null || !(shape.width > 0 && shape.height > 0)) return refuse(CUT_OFF)
  if (shape.width * shape.height > pixels)
    return refuse(
      `The picture has ${shape.width} times ${shape.height} pixels. Allowed: ${pixels} in all, which is the limit.`,
    )
  // Phones store further pictures and films behind a photo. They are not kept.
  if (type === 'image/jpeg') return { type, content: bytes.subarray(0, shape.end), refusal: null }
  return shape.end === bytes.length ? { type, content: bytes, refusal: null } : refuse(MORE_BEHIND)
}

const PDF_SPACE: ReadonlySet<number> = new Set([0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20])

function inspectPdf(bytes: Uint8Array): Inspection {
  let end = bytes.length
  while (end > 0 && PDF_SPACE.has(bytes[end - 1] ?? -1)) end--
  if (asciiAt(bytes, end - 5, 5) === '%%EOF')
    return { type: 'application/pdf', content: bytes, refusal: null }
  return refuse('The PDF is cut off, or has further content behind its end. Send it again whole and alone.')
}

/** Returns the type that a client declares, without parameters. */
const typeOf = (declared: string): string => {
  const [type = ''] = declared.toLowerCase().split(';')
  return type.trim() === 'image/jpg' ? 'image/jpeg' : type.trim()
}

/**
 * Decides on a file by its bytes: the declared type must be allowed and be that of the content, and the content must be
 * whole, with nothing behind its end (FI2 to FI4). Takes time that grows with the length alone.
 */
export function inspectFile(bytes: Uint8Array, declared: string, rules: InspectionRules): Inspection {
  const allowed = `Allowed: ${rules.types.join(', ')}.`
  const wanted = typeOf(declared)
  if (bytes.length > rules.bytes)
    return refuse(`The file is larger than ${rules.bytes} bytes, which is the limit.`)
  if (bytes.length === 0) return refuse('The file is empty. It must have a content.')
  const type = FILE_TYPES.find(known => known === wanted)
  if (type === undefined || !rules.types.includes(type))
    return refuse(`Files of the type ${JSON.stringify(startOfType(wanted))} are not taken. ${allowed}`)
  const found = recognise(bytes)
  if (found.type !== type)
    return refuse(`The file is declared as ${type}, but its content is ${found.name}. Both must be the same.`)
  const shapeOf = PICTURES[type]
  const inspected =
    shapeOf !== undefined
      ? inspectPicture(shapeOf(bytes), type, bytes, rules.pixels)
      : type === 'application/pdf'
        ? inspectPdf(bytes)
        : ({ type, content: bytes, refusal: null } as const)
  return inspected.refusal === null && endsAsZip(inspected.content) ? refuse(MORE_BEHIND) : inspected
}

const startOfType = (type: string): string => type.slice(0, 100)
