import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform } from '@colloquy/core'
import { expect, onTestFinished, test } from 'vitest'
import { admin, temporaryFile } from './support.ts'

const GUIDE = readFileSync(new URL('../../../docs/guides/agents-as-code.md', import.meta.url), 'utf8')

/** The first line of a block may name its language. */
const blocks = (language: string): readonly string[] =>
  [...GUIDE.matchAll(/^```(\w*)\n(.*?)^```$/gms)].flatMap(([, of, body = '']) =>
    of === language ? [body] : [],
  )

/** Two agents, the first with a topic that is on main. */
async function seed(file: string) {
  const platform = createPlatform({
    store: createSqliteStore({ filename: file }),
    runtime: { async *respond() {} },
    workers: false,
  })
  onTestFinished(() => platform.close())
  const { id: accountId } = await platform.access.createAccount({ slug: 'hotel', name: 'The hotel' })
  for (const agentId of ['PROJECT-DEMO', 'PROJECT-TWO'])
    await platform.agents.create({ accountId, agentId, name: agentId, greeting: 'Welcome!' })
  const branch = await platform.agents.createBranch('PROJECT-DEMO', { branchName: 'first' })
  const input = { name: 'Opening hours', content: 'Open from nine.' }
  const topic = await platform.agents.createTopic('PROJECT-DEMO', branch.id, input)
  await platform.agents.merge('PROJECT-DEMO', branch.id)
  return { platform, topic }
}

test('the commands of the guide to agents as code run, and a conflict is told as it shows', async () => {
  const file = temporaryFile()
  const dir = join(dirname(file), 'agents/demo')
  const { platform, topic } = await seed(file)
  const run = async (line: string) => {
    const words = line
      .replace(/^colloquy-admin /, '')
      .replace('agents/demo', dir)
      .split(' ')
    return admin(words, { env: { COLLOQUY_DATABASE: file } })
  }
  const branchOf = async (agentId: string, name: string): Promise<string> =>
    (await platform.agents.branches(agentId)).find(branch => branch.name === name)?.id ?? ''
  const [first = '', second = '', ...more] = blocks('sh')
  expect(more).toEqual([])
  const [setting, ...commands] = first.trim().split('\n')
  expect(setting).toMatch(/^export COLLOQUY_DATABASE=/)
  for (const line of commands) expect(await run(line), line).toMatchObject({ code: 0, err: '' })
  expect(readdirSync(dir).sort()).toEqual(
    expect.arrayContaining(['behavior.md', 'colloquy-lock.json', 'response-settings.json', 'topics']),
  )

  // Both sides change the topic.
  const made = await branchOf('PROJECT-DEMO', 'from-git')
  await platform.agents.updateTopic('PROJECT-DEMO', made, topic.id, { content: 'Open from eight.' })
  const path = join(dir, `topics/opening-hours--${topic.id}.md`)
  writeFileSync(path, readFileSync(path, 'utf8').replace('nine', 'ten'))
  const { code, out, err } = await run('colloquy-admin push --dir agents/demo')
  expect(code).toBe(1)
  const [shown = ''] = blocks('')
  expect(`${out}\n${err}`.trim()).toBe(shown.trim().replace('TOPIC-7Rk2bq9XwPfd', topic.id))

  for (const line of second.trim().split('\n'))
    expect(await run(line), line).toMatchObject({ code: 0, err: '' })
  expect(await platform.agents.topics('PROJECT-TWO', await branchOf('PROJECT-TWO', 'import'))).toMatchObject([
    { content: 'Open from ten.' },
  ])
})
