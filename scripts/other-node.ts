import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from './run.ts'
import { REPOSITORY } from './workspace-packages.ts'

const CACHE = join(REPOSITORY, 'node_modules/.cache/nodes')

/** The npm package that holds Node for this platform. */
const packageName = (): string => {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  return `node-${platform === 'darwin' && process.arch === 'arm64' ? 'bin-' : ''}${platform}-${process.arch}`
}

/**
 * Finds another version of Node, which npm brings the first time.
 *
 * @param version such as `22.23.3`
 * @returns the path of its program
 * @throws Error when npm has no such version for this platform
 */
export async function otherNode(version: string): Promise<string> {
  const folder = join(CACHE, version)
  const program = join(folder, process.platform === 'win32' ? 'bin/node.exe' : 'bin/node')
  if (existsSync(program)) return program
  await mkdir(CACHE, { recursive: true })
  // Two processes may fetch it at once: the first whole folder counts.
  const part = await mkdtemp(join(CACHE, 'part-'))
  try {
    const packed = await run('npm', ['pack', '--silent', `${packageName()}@${version}`], part)
    await run('tar', ['-xzf', packed.trim(), '--strip-components=1'], part)
    await rename(part, folder).catch((error: unknown) => {
      if (!existsSync(program)) throw error
    })
    return program
  } finally {
    await rm(part, { recursive: true, force: true })
  }
}
