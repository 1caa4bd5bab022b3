import { spawn } from 'node:child_process'
import { perCore } from './limited.ts'
import { REPOSITORY } from './workspace-packages.ts'

const TSC = 'node node_modules/typescript/bin/tsc --singleThreaded'

/** Checks the types of the programs that a folder's `tsconfig.json` names, and no more of them than have changed. */
const typesOf = (name: string, folder = '.'): string =>
  `${TSC} --noEmit --incremental --tsBuildInfoFile node_modules/.cache/types-${name}.json -p ${folder}`

/** Checks that `npm test` runs before the tests, the slowest first. */
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
    'node --conditions=@colloquy/source scripts/lint-words.ts',
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

const asked = process.argv.slice(2)
const names = Object.keys(CHECKS) as (keyof typeof CHECKS)[]
const chosen = names.filter(name => asked.length === 0 || asked.includes(name))
const inTurn = perCore()
const passed = await Promise.all(
  chosen.flatMap(name => CHECKS[name]).map(command => inTurn(() => run(command))),
)
if (passed.includes(false)) process.exitCode = 1
