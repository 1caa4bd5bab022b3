import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@colloquy/test-support/own-server'
import { useNpmPackage } from '@colloquy/test-support/servers'
import { expect, test } from 'vitest'
import { REPOSITORY } from '../../scripts/workspace-packages.ts'
import {
  complete,
  emptyFolder,
  packedHere,
  type Section,
  sectionsOf,
  start,
  writeFiles,
} from './support/newcomer.ts'

await useNpmPackage('next')

const sections = sectionsOf(await readFile(join(REPOSITORY, 'docs/guides/first-chat.md'), 'utf8'))

const section = (title: string): Section => {
  const found = sections.find(one => one.title === title)
  if (found === undefined) throw new Error(`The page has no section ${title}.`)
  return found
}

const HOSTS = ['node:http', 'Express', 'Fastify', 'Koa', 'Hono', 'Next.js', 'SvelteKit']

const asHere = packedHere()

test.for(HOSTS)(
  'from an empty folder to a chat by the page alone: %s',
  { timeout: 400_000 },
  async (host, { task }) => {
    const [agent, visitor, own] = [section('An agent'), section('A visitor'), section(host)]
    const folder = await emptyFolder()
    const began = performance.now()
    const [serve = '', ...installs] = [...agent.commands, ...own.commands].toReversed()
    for (const command of installs.toReversed()) await complete(asHere(command), folder)
    const installed = performance.now()
    await writeFiles(folder, [agent, visitor, own])
    const port = await freePort()
    const url = `http://localhost:${port}${own.text.includes('without a path') ? '' : '/talk'}`
    const TOKEN = await start(serve, folder, { port, url, until: /Connector token: (\S+)/ })
    const started = performance.now()
    const [say = ''] = visitor.commands
    expect(say).toContain(' http://localhost:3000/talk ')
    const STREAMS = own.text.includes('no sockets') ? '1' : ''
    const said = await complete(say.replace('http://localhost:3000/talk', url), folder, { TOKEN, STREAMS })
    expect(said).toBe(visitor.shown[0])
    const seconds = (from: number, to: number) => ((to - from) / 1_000).toFixed(1)
    const over = performance.now()
    task.meta.told = [
      `${host}: from an empty folder to a chat in ${seconds(began, over)} s`,
      `  Installed in ${seconds(began, installed)} s`,
      `  The host answers after ${seconds(installed, started)} s`,
      `  The chat takes ${seconds(started, over)} s`,
    ]
  },
)

test('the page has these hosts and no others', () => {
  const between = sections.map(({ title }) => title).slice(3, -1)
  expect(between).toEqual(HOSTS)
})
