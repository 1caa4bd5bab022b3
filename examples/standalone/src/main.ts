import { nodeObjection } from '@colloquy/core/node'

const objection = nodeObjection(process.versions.node)
if (objection !== null) {
  process.stderr.write(`${objection}\n`)
  process.exit(1)
}
// Loaded after the check: everything that it imports runs before the code of this file.
const { runServer } = await import('./run-server.ts')
await runServer()
