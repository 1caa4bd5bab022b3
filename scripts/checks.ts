import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { REPOSITORY } from './workspace-packages.ts'

/** Checks the types of the programs that a folder's `tsconfig.json` names, and no more of them than have changed. */
const typesOf = (name: string, folder = '.'): string =>
  `tsc --noEmit --incremental --tsBuildInfoFile node_modules/.cache/types-${name}.json -p ${folder}`

/** What `npm test` runs before the tests, those that take longest first. */
const CHECKS = {
  types: [
    typesOf('main'),
    typesOf('widget', 'packages/widget'),
    typesOf('ai-6', 'packages/runtime-ai-sdk/tests/ai-6'),
    typesOf('console', 'packages/console'),
  ],
  lint: [
    'biome check --error-on-warnings .',
    'knip',
    'node --conditions=@colloquy/source scripts/lint-expressions.ts',
  ],
} as const

/** Runs a command to its end, and prints at once what it said. */
function run(command: string): Promise<boolean> {
  const child = spawn(command, { cwd: REPOSITORY, shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const said: Buffer[] = []
  child.stdout.on('data', chunk => said.push(chunk))
  child.stderr.on('data', chunk => said.push(chunk))
  return new Promise(resolve => {
    child.once('close', code => {
      process.stdout.write(`\n> ${command}\n${Buffer.concat(said).toString()}`)
      resolve(code === 0)
    })
  })
}

/** Runs commands side by side, as many as there are cores. Every one is run, whatever another one found. */
async function runAll(commands: readonly string[]): Promise<boolean> {
  const left = commands.values()
  let passed = true
  const worker = async (): Promise<void> => {
    for (const command of left) passed = (await run(command)) && passed
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  return passed
}

const asked = process.argv.slice(2)
const names = Object.keys(CHECKS) as (keyof typeof CHECKS)[]
const chosen = names.filter(name => asked.length === 0 || asked.includes(name))
if (!(await runAll(chosen.flatMap(name => CHECKS[name])))) process.exitCode = 1
