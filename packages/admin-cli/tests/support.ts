import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import type { Platform } from '@colloquy/core'
import type { CopyableStore } from '@colloquy/core/store'
import { fillStore } from '@colloquy/core/testing/contracts'
import { createRequestListener } from '@colloquy/http-express'
import { writeEmptyStore } from '@colloquy/test-support/sqlite-file'
import { expect, onTestFinished } from 'vitest'
import { z } from 'zod'
import { runAdmin } from '../src/index.ts'

/** A path in a folder that goes with the test. */
export function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-admin-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'colloquy.db')
}

/** Serves a platform until the test is over, and returns the address. */
export async function serve(platform: Platform): Promise<string> {
  const server = createServer(createRequestListener(platform)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return `http://127.0.0.1:${port}`
}

/** Stores an account with a name that the platform does not take. */
export async function storeHostileAccount(filename: string, slug: string, name: string): Promise<void> {
  const store = createSqliteStore({ filename })
  const [one] = await store.access.accounts.list({}, 1)
  if (one === undefined) throw new Error('An account must be there.')
  const id: typeof one.id = JSON.parse(JSON.stringify(`ws-${slug}`))
  await store.access.accounts.create({ ...one, id, slug, name, createdAt: one.createdAt + 1 })
  await store.close()
}

/** What a command line came to. */
export interface Outcome {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Who runs a command line. */
export interface Caller {
  readonly env?: Readonly<Record<string, string>>
  /** What the person at the terminal types when asked; null: nobody is there. @default null */
  readonly types?: string | null
}

/** Runs a command line in this process. */
export async function admin(
  args: readonly string[],
  { env = {}, types = null }: Caller = {},
): Promise<Outcome> {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await runAdmin(args, {
    env,
    out: text => void out.push(text),
    err: text => void err.push(text),
    ask:
      types === null
        ? null
        : async question => {
            err.push(question)
            return types
          },
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

/** A file with a store that was filled so. */
export async function aStore(fill: (store: CopyableStore) => Promise<unknown> = fillStore): Promise<string> {
  const file = writeEmptyStore(temporaryFile())
  const store = createSqliteStore({ filename: file })
  await fill(store)
  await store.close()
  return file
}

/** Runs `export`. */
export const exportTo = (file: string, from: string, ...more: readonly string[]) =>
  admin(['export', file, '--from', from, ...more])

/** Runs `import`. */
export const importInto = (to: string, file: string, ...more: readonly string[]) =>
  admin(['import', file, '--to', to, ...more])

/** What a file holds. */
export const text = (file: string): string => readFileSync(file, 'utf8')

/** What an export of a store holds. */
export async function exported(from: string, ...more: readonly string[]): Promise<string> {
  const file = temporaryFile()
  expect(await exportTo(file, from, ...more)).toMatchObject({ code: 0 })
  return text(file)
}
