// Loaded before a program of the repository. An older Node cannot read TypeScript, so the program could not say this.
import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const oldest = engines.node.replace('>=', '')
const [major, minor] = process.versions.node.split('.').map(Number)
const [oldestMajor, oldestMinor] = oldest.split('.').map(Number)
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  process.stderr.write(
    `Node ${process.versions.node} is too old for Colloquy. Use Node ${oldest} or newer.\n`,
  )
  process.exit(1)
}
