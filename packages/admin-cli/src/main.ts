#!/usr/bin/env node
import { createInterface } from 'node:readline/promises'
import { nodeObjection } from '@colloquy/core/node'

const objection = nodeObjection(process.versions.node)
if (objection !== null) {
  process.stderr.write(`error: ${objection}\n`)
  process.exit(1)
}
// Loaded after the check: everything that it imports runs before the code of this file.
const { runAdmin } = await import('./run-admin.ts')

async function ask(question: string): Promise<string> {
  // Questions go to stderr, so that stdout holds nothing but answers.
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await lines.question(question)
  } finally {
    lines.close()
  }
}

/** The reader of the output may close it early, as in `… list | head`. What was done stays done. */
function letGo(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
process.stdout.on('error', letGo)
process.stderr.on('error', letGo)

try {
  process.exitCode = await runAdmin(process.argv.slice(2), {
    env: process.env,
    out: text => void process.stdout.write(`${text}\n`),
    err: text => void process.stderr.write(`${text}\n`),
    ask: process.stdin.isTTY ? ask : null,
  })
} catch (error) {
  process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
