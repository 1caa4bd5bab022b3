import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { fillStore, fillWithTexts } from '@colloquy/core/testing/contracts'
import { type PostgresSchemas, postgresSchemas } from '@colloquy/test-support/postgres'
import { runs } from '@colloquy/test-support/runs'
import { useServer } from '@colloquy/test-support/servers'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { openExport, readExport } from '../src/export/export-file.ts'
import { writeExport } from '../src/export/write-export.ts'
import { aStore, exported, exportTo, importInto, temporaryFile, text } from './support.ts'

// Slow: stores are made, exported and imported, in files and in schemas of PostgreSQL.

/** From a byte of an export to the next one that is tried. */
const stepOf = (whole: Buffer): number => Math.ceil(whole.length / runs(120, 3_000))

/** The line in which the byte at a place is, from 1. */
const lineAt = (bytes: Buffer, place: number): number =>
  bytes.subarray(0, place).reduce((lines, byte) => lines + (byte === 10 ? 1 : 0), 1)

test('CY30 an export that was cut off anywhere is continued, and becomes what it would have been', async () => {
  const from = await aStore()
  const whole = Buffer.from(await exported(from))
  const store = createSqliteStore({ filename: from })
  const [file, target] = [temporaryFile(), temporaryFile()]
  for (let cut = 0; cut < whole.length; cut += stepOf(whole)) {
    writeFileSync(file, whole.subarray(0, cut))
    const refused = await importInto(target, file)
    expect(refused, `cut at ${cut}`).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toContain(
      `was cut off behind line ${lineAt(whole, cut) - 1}. Run the same colloquy-admin export again`,
    )
    const handle = await openExport(file, 'write')
    await writeExport(store, handle, await readExport(handle, file), () => undefined)
    await handle.close()
    expect(readFileSync(file).equals(whole), `cut at ${cut}`).toBe(true)
  }
  expect(existsSync(target)).toBe(false)
  await store.close()
  writeFileSync(file, whole.subarray(0, -1))
  chmodSync(file, 0o644)
  const lines = lineAt(whole, whole.length) - 1
  expect(await exportTo(file, from)).toMatchObject({
    ...{ code: 0, err: expect.stringContaining(`Going on with ${file} behind line ${lines - 1}.`) },
  })
  expect(readFileSync(file).equals(whole)).toBe(true)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('CY30 a byte that was flipped, anywhere, is found before anything is written', async () => {
  const whole = Buffer.from(await exported(await aStore()))
  const [file, target] = [temporaryFile(), temporaryFile()]
  for (let at = 0; at < whole.length; at += at < whole.length - stepOf(whole) ? stepOf(whole) : 3) {
    const changed = Buffer.from(whole)
    changed[at] = (changed[at] ?? 0) ^ (1 << (at % 7))
    writeFileSync(file, changed)
    const outcome = await importInto(target, file)
    expect(outcome, `byte ${at}`).toMatchObject({ code: 1, out: '' })
    expect(outcome.err, `byte ${at}`).toMatch(
      /, line \d+: (this is no line|it does not fit|the format is)|was cut off behind line/,
    )
  }
  expect(existsSync(target)).toBe(false)
})

describe('with PostgreSQL', async () => {
  const schemas: PostgresSchemas = postgresSchemas(await useServer('postgres'))
  const { url } = schemas
  afterAll(() => schemas.remove())

  test('CY29 and CY30 whatever a store holds, the other database gives the same bytes, and so back', async () => {
    const texts = fc.uniqueArray(fc.string({ unit: 'binary', maxLength: 12 }), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(texts, fc.boolean(), async (texts, isFull) => {
        const from = await aStore(async store => {
          if (isFull) await fillStore(store)
          else await fillWithTexts(store, texts)
        })
        const [schema, one, two, back] = [schemas.fresh(), temporaryFile(), temporaryFile(), temporaryFile()]
        expect(await exportTo(one, from)).toMatchObject({ code: 0 })
        expect(await importInto(url, one, '--to-schema', schema)).toMatchObject({ code: 0 })
        expect(await exportTo(two, url, '--from-schema', schema)).toMatchObject({ code: 0 })
        expect(text(two)).toBe(text(one))
        expect(await importInto(back, two)).toMatchObject({ code: 0 })
        expect(await exported(back)).toBe(text(one))
      }),
      {
        numRuns: runs(4, 60),
        examples: [
          [[], true],
          [[], false],
        ],
      },
    )
  })
})
