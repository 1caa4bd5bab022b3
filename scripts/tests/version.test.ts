import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { VERSION } from '../../packages/core/src/version.ts'
import { run } from '../run.ts'
import { REPOSITORY, workspacePackages } from '../workspace-packages.ts'

/** What the packages of a repository ask for of each other, by the name of the one that asks. */
const askedFor = (root?: string) =>
  workspacePackages(root).flatMap(({ manifest }) =>
    Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies })
      .filter(([name]) => name.startsWith('@colloquy/'))
      .map(([name, range]) => [manifest.name, name, range]),
  )

const versionsOf = (root?: string) => [
  ...new Set(workspacePackages(root).map(({ manifest }) => manifest.version)),
]

test('PK13 all packages have one version, which is what they ask for of each other, and VERSION of core', () => {
  expect(versionsOf()).toEqual([VERSION])
  const asked = askedFor()
  expect(asked.length).toBeGreaterThan(20)
  expect(asked.filter(([, , range]) => range !== VERSION)).toEqual([])
})

test('PK13 and PK15 of changesets become the next version of all packages, and their changelogs', async () => {
  const root = await mkdtemp(join(tmpdir(), 'colloquy-version-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const { workspaces } = JSON.parse(await readFile(join(REPOSITORY, 'package.json'), 'utf8'))
  const kept = /(?:^|[\\/])(?:package\.json|version\.ts|src|config\.json)$/
  for (const folder of ['packages', 'examples', 'bench', 'e2e', 'test-support', '.changeset'])
    await cp(join(REPOSITORY, folder), join(root, folder), {
      recursive: true,
      filter: path => {
        const depth = path.slice(REPOSITORY.length + 1).split(/[\\/]/).length
        return depth <= (folder === 'packages' || folder === 'examples' ? 2 : 1) || kept.test(path)
      },
    })
  await writeFile(join(root, 'package.json'), JSON.stringify({ name: 'root', private: true, workspaces }))
  await writeFile(
    join(root, '.changeset/answers.md'),
    "---\n'@colloquy/core': minor\n---\n\nAnswers come sooner.\n",
  )
  const git = (...words: readonly string[]): Promise<string> =>
    run('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...words], root)
  await git('init', '--quiet', '--initial-branch=main')
  await git('add', '.')
  await git('commit', '--quiet', '--message=all')
  const version = (): Promise<string> =>
    run(process.execPath, [join(REPOSITORY, 'scripts/version.ts'), root], root)
  await expect(version()).rejects.toThrow('Name it: git remote add origin <address>.')
  expect(await git('status', '--porcelain')).toBe('')
  await git('remote', 'add', 'origin', 'git@code.example:colloquy/colloquy.git')
  await version()

  const [next = '', ...others] = versionsOf(root)
  expect(others).toEqual([])
  expect(next).toBe(
    VERSION.replace(/^(\d+)\.(\d+)\..*$/, (_, major, minor) => `${major}.${Number(minor) + 1}.0`),
  )
  expect(askedFor(root).filter(([, , range]) => range !== next)).toEqual([])
  expect(readFileSync(join(root, 'packages/core/src/version.ts'), 'utf8')).toContain(`VERSION = '${next}'`)
  const changelog = await readFile(join(root, 'packages/core/CHANGELOG.md'), 'utf8')
  expect(changelog).toContain(`## ${next}`)
  expect(changelog).toContain('Answers come sooner.')
  expect(existsSync(join(root, '.changeset/answers.md'))).toBe(false)

  const manifest = JSON.parse(await readFile(join(root, 'packages/core/package.json'), 'utf8'))
  expect(manifest.repository).toEqual({
    type: 'git',
    url: 'git+https://code.example/colloquy/colloquy.git',
    directory: 'packages/core',
  })
  expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true })
  const packed = await run(
    'npm',
    ['pack', '--dry-run', '--ignore-scripts', '--json'],
    join(root, 'packages/core'),
  )
  const files = JSON.parse(packed).flatMap(filesOfPack)
  expect(files).toContain('CHANGELOG.md')
})

const filesOfPack = ({
  files,
}: {
  readonly files: readonly { readonly path: string }[]
}): readonly string[] => files.map(({ path }) => path)
