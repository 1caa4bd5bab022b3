/** Files as browsers and cameras write them, and what is made of them to get past a check. */

const bytesOf = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64), character => character.charCodeAt(0))

/** Bytes of a text in UTF-8. */
export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Bytes, one behind the other. */
export const joined = (...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap(part => [...part]))

/** Whole files, which browsers show. */
export const SAMPLES = {
  png: bytesOf(
    [
      'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAYAAADED76LAAAALUlEQVR4AayNsQ0AAAjCqv//jI7K4CQJA4HQBGl6hS56wKmH',
      'gQimnfeA8EvPBQAA//88CHNDAAAABklEQVQDAF/XFAH0Y7DsAAAAAElFTkSuQmCC',
    ].join(''),
  ),
  jpeg: bytesOf(
    [
      '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1R',
      'V19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj',
      'Y2NjY2NjY2NjY2NjY2P/wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAb/xAAbEAACAQUAAAAAAAAA',
      'AAAAAAAAERIDBBMiQf/EABUBAQEAAAAAAAAAAAAAAAAAAAQG/8QAGBEAAwEBAAAAAAAAAAAAAAAAAQIDABH/2gAMAwEAAhED',
      'EQA/AJ+3oYZbSa4gAAtZ7uaUPSdbykkUCIOAb//Z',
    ].join(''),
  ),
  webp: bytesOf(
    [
      'UklGRlIAAABXRUJQVlA4IEYAAAAQAgCdASoIAAgABABMJbACdLoAhgAFZG1AAP74SmYj/2eD+Fx/8rty6amOcWzu/+h55yU2',
      'Pp/8Knwx+P/rQ//Wh/0oAAAA',
    ].join(''),
  ),
  losslessWebp: bytesOf('UklGRiAAAABXRUJQVlA4TBQAAAAvB8ABAA8Q87//8x8ODv8f0f+ABw=='),
  extendedWebp: bytesOf(
    [
      'UklGRmQAAABXRUJQVlA4WAoAAAAAAAAABwAABwAAVlA4IEYAAAAQAgCdASoIAAgABABMJbACdLoAhgAFZG1AAP74SmYj/2eD',
      '+Fx/8rty6amOcWzu/+h55yU2Pp/8Knwx+P/rQ//Wh/0oAAAA',
    ].join(''),
  ),
  gif: bytesOf('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'),
  pdf: utf8(
    '%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\nxref\n0 3\ntrailer\n<< /Root 1 0 R >>\nstartxref\n110\n%%EOF\n',
  ),
  text: utf8('Größe: 🙂\n\tA line, with a < b and 1 < 2.\r\n'),
} as const

/** A ZIP archive with one empty file, as a JAR is one. */
export const ZIP = joined(
  ...[
    [0x50, 0x4b, 0x03, 0x04, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0],
    utf8('a'),
  ],
  ...[[0x50, 0x4b, 0x01, 0x02, 20, 0, 20, 0], Array.from({ length: 20 }, () => 0), [1, 0]],
  ...[Array.from({ length: 16 }, () => 0), utf8('a')],
  ...[[0x50, 0x4b, 0x05, 0x06, 0, 0, 0, 0, 1, 0, 1, 0, 47, 0, 0, 0, 31, 0, 0, 0, 0, 0]],
)

/** A PNG whose head says another size: few bytes that unpack to many. */
export function pngOfSize(width: number, height: number): Uint8Array {
  const bytes = SAMPLES.png.slice()
  const view = new DataView(bytes.buffer)
  view.setUint32(16, width)
  view.setUint32(20, height)
  return bytes
}
