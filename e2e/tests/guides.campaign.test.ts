import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url))
const HERE = fileURLToPath(new URL('..', import.meta.url))

/** A block of code, and the blocks of answers that follow it. */
interface Step {
  readonly code: string
  readonly answers: readonly { readonly language: string; readonly text: string }[]
}

/** The code of a guide in order; the host's is JavaScript, what comes back `http` or `json`. */
function stepsOf(markdown: string): readonly Step[] {
  const steps: Step[] = []
  for (const [, language = '', text = ''] of markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)) {
    const last = steps.at(-1)
    if (language === 'js') steps.push({ code: text, answers: [] })
    else if (last) steps[steps.length - 1] = { ...last, answers: [...last.answers, { language, text }] }
  }
  return steps
}

/** What a step of a running guide came to: the last answer over HTTP, and what was printed. */
const tracedSchema = z.object({
  response: z.object({ status: z.number(), body: z.unknown() }).nullable(),
  printed: z.array(z.array(z.unknown())),
})

/** Runs before a guide: notes answers and prints, and tells them after each step. */
const PROLOGUE = `
const trace = { response: null, printed: [] }
const plainFetch = globalThis.fetch
const tell = process.stdout.write.bind(process.stdout)
globalThis.fetch = async (...input) => {
  const response = await plainFetch(...input)
  const text = await response.clone().text()
  trace.response = { status: response.status, body: text === '' ? null : JSON.parse(text) }
  return response
}
console.log = (...values) => trace.printed.push(values)
globalThis.stepDone = () => {
  tell(JSON.stringify(trace) + '\\n')
  Object.assign(trace, { response: null, printed: [] })
}
`

/** Runs all steps as one program, with a database of its own on a free port; one line for each step. */
async function run(steps: readonly Step[]): Promise<readonly z.output<typeof tracedSchema>[]> {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-guide-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const program = PROLOGUE + steps.map(({ code }) => `${code}\nstepDone()\n`).join('')
  const flags = ['--conditions=@colloquy/source', '--input-type=module', '--eval', program]
  const child = spawn(process.execPath, flags, {
    cwd: HERE,
    env: { ...process.env, PORT: '0', DATABASE: join(folder, 'colloquy.db') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  const traced: z.output<typeof tracedSchema>[] = []
  for await (const line of createInterface(child.stdout)) traced.push(tracedSchema.parse(JSON.parse(line)))
  expect(await ended).toEqual([0, null])
  return traced
}

/** What came back, with every text cut short where the guide cuts it: so that both can be compared as they are. */
function cut(actual: unknown, shown: unknown): unknown {
  if (typeof actual === 'string' && typeof shown === 'string' && shown.endsWith('…')) {
    return actual.startsWith(shown.slice(0, -1)) ? shown : actual
  }
  if (Array.isArray(actual) && Array.isArray(shown)) return actual.map((one, at) => cut(one, shown[at]))
  const [left, right] = [recordSchema.safeParse(actual), recordSchema.safeParse(shown)]
  if (!left.success || !right.success) return actual
  return Object.fromEntries(
    Object.entries(left.data).map(([name, one]) => [name, cut(one, right.data[name])]),
  )
}
const recordSchema = z.record(z.string(), z.unknown())

/** Status and body as an `http` block shows them. */
function parseHttp(text: string): { readonly status: number; readonly body: unknown } {
  const [, status = '', body = ''] = /^HTTP\/1\.1 (\d+) [^\n]*\n\n(.*)$/s.exec(text) ?? []
  return { status: Number(status), body: JSON.parse(body) }
}

test.each([
  'guides/branches-and-merges.md',
  'guides/agent-tests.md',
  'guides/functions.md',
  'guides/guardrails.md',
  'guides/searching.md',
  'guides/rollouts.md',
  'guides/rehearsals.md',
])('DO8 the code of %s runs, and comes to what is shown', async page => {
  const steps = stepsOf(readFileSync(join(DOCS, page), 'utf8'))
  const traced = await run(steps)
  expect(traced).toHaveLength(steps.length)
  expect(steps.flatMap(({ answers }) => answers).length).toBeGreaterThan(0)
  for (const [at, { code, answers }] of steps.entries()) {
    const { response, printed } = traced[at] ?? { response: null, printed: [] }
    for (const { language, text } of answers) {
      if (language === 'http') {
        const shown = parseHttp(text)
        expect({ code, answer: cut(response, shown) }).toEqual({ code, answer: shown })
      } else {
        const shown: unknown[] = text
          .trim()
          .split('\n')
          .map(line => JSON.parse(line))
        expect({ code, printed: cut(printed, shown) }).toEqual({ code, printed: shown })
      }
    }
  }
})
