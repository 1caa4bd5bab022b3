import { describe, expect, it } from 'vitest'
import type { ByteRange } from '../../domain/byte-range.ts'
import type { Files } from '../../ports/files.ts'

/** A port for files, and everything that is stored behind it. */
export interface FilesUnderTest {
  readonly files: Files
  /** The bytes of everything that is stored, as far as anybody could read them: names and contents. */
  stored(): Promise<readonly Uint8Array[]>
}

/** The contract's access to ports. */
export interface FilesFactory {
  /** One without files; it is closed when its test is over. */
  open(): Promise<FilesUnderTest>
}

const signal = (): AbortSignal => new AbortController().signal

/** Bytes of every value, without a pattern: those of two seeds have nothing in common. */
function bytesOf(length: number, seed: number): Uint8Array {
  let state = (seed + 1) * 2_654_435_761
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 24
  })
}

async function read(files: Files, id: string, range?: ByteRange): Promise<Uint8Array | null> {
  const chunks = await files.get({ id, signal: signal(), ...(range && { range }) })
  if (chunks === null) return null
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk.slice())
  return new Uint8Array(await new Blob(parts.map(part => new Uint8Array(part))).arrayBuffer())
}

/** Reports whether a stored value holds these bytes. */
function holds(stored: Uint8Array, bytes: Uint8Array): boolean {
  for (let at = 0; at + bytes.length <= stored.length; at++)
    if (bytes.every((byte, offset) => stored[at + offset] === byte)) return true
  return false
}

const ID = '6f1c1f5e-3f5b-4c0a-9c5e-0d6f0a8f1b11'
const OTHER = '0a4d3c2b-7e16-4f7d-8a55-5b1e6c9d2f22'

/**
 * Declares the tests of the `Files` port (rules FI20) for one adapter. To be called at the top level of a
 * vitest file.
 */
export function testFiles(name: string, { open }: FilesFactory): void {
  const put = (files: Files, id: string, content: Uint8Array) =>
    files.put({ id, content, type: 'image/png', signal: signal() })

  describe(`${name}: files`, () => {
    it('FI20 a file is read byte for byte as it was stored, whatever its size', async () => {
      const { files } = await open()
      for (const [at, length] of [1, 2, 65_535, 65_536, 300_001].entries()) {
        const content = bytesOf(length, at)
        await put(files, `${ID}-${at}`, content)
        expect(await read(files, `${ID}-${at}`)).toEqual(content)
      }
    })

    it('FI20 a part of a file is read as it is there, from its first byte to its last', async () => {
      const { files } = await open()
      const content = bytesOf(200_000, 7)
      await put(files, ID, content)
      for (const [from, to] of [
        [0, 1],
        [0, 200_000],
        [199_999, 200_000],
        [65_535, 131_073],
        [100_000, 200_000],
      ] as const)
        expect(await read(files, ID, { from, to })).toEqual(content.slice(from, to))
      expect(await read(files, OTHER, { from: 0, to: 1 })).toBeNull()
    })

    it('FI20 a file that is stored again under its id is the later one, whole', async () => {
      const { files } = await open()
      await put(files, ID, bytesOf(5_000, 1))
      await put(files, ID, bytesOf(10, 2))
      expect(await read(files, ID)).toEqual(bytesOf(10, 2))
    })

    it('FI20 an unknown file is null, and removing it does nothing', async () => {
      const { files } = await open()
      await put(files, ID, bytesOf(10, 1))
      expect(await read(files, OTHER)).toBeNull()
      await files.remove({ id: OTHER, signal: signal() })
      expect(await read(files, ID)).toEqual(bytesOf(10, 1))
    })

    it('FI20 of a removed file no byte and no name is left, and others stay', async () => {
      const { files, stored } = await open()
      const [gone, kept] = [bytesOf(500, 3), bytesOf(400, 9)]
      await put(files, ID, gone)
      await put(files, OTHER, kept)
      expect((await stored()).some(value => holds(value, gone))).toBe(true)
      await files.remove({ id: ID, signal: signal() })
      expect(await read(files, ID)).toBeNull()
      const left = await stored()
      expect(left.some(value => holds(value, gone.slice(0, 40)))).toBe(false)
      expect(left.some(value => holds(value, new TextEncoder().encode(ID)))).toBe(false)
      expect(left.some(value => holds(value, kept))).toBe(true)
      await files.remove({ id: ID, signal: signal() })
    })

    it('FI20 a call whose signal has aborted rejects, and stores nothing', async () => {
      const { files, stored } = await open()
      const aborted = AbortSignal.abort(new Error('Too late.'))
      const content = bytesOf(700, 4)
      await expect(files.put({ id: ID, content, type: 'image/png', signal: aborted })).rejects.toThrow(/./)
      await expect(files.get({ id: ID, signal: aborted })).rejects.toThrow(/./)
      await expect(files.remove({ id: ID, signal: aborted })).rejects.toThrow(/./)
      expect((await stored()).some(value => holds(value, content))).toBe(false)
    })

    it('FI20 files that are stored, read and removed at once do not mix', async () => {
      const { files } = await open()
      const all = Array.from({ length: 12 }, (_, at) => ({
        id: `${ID}-${at}`,
        content: bytesOf(2_000 + at, at),
      }))
      await Promise.all(all.map(({ content, id }) => put(files, id, content)))
      const found = await Promise.all(all.map(({ id }) => read(files, id)))
      expect(found).toEqual(all.map(({ content }) => content))
      await Promise.all(
        all.map(({ id }, at) => (at % 2 === 0 ? files.remove({ id, signal: signal() }) : read(files, id))),
      )
      const left = await Promise.all(all.map(({ id }) => read(files, id)))
      expect(left.map(content => content === null)).toEqual(all.map((_, at) => at % 2 === 0))
    })
  })
}
