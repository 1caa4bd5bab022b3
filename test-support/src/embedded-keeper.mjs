// Runs a server for as long as who started it lives: however that ends, so does what is read here.
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'

const [folder, uid, gid, program, ...options] = process.argv.slice(2)
const user = uid === '' ? {} : { uid: Number(uid), gid: Number(gid) }
const server = spawn(program, options, { ...user, cwd: folder, stdio: 'ignore' })
server.once('exit', () => {
  rmSync(folder, { recursive: true, force: true })
  process.exit()
})
process.stdin.resume().once('end', () => server.kill('SIGQUIT'))
