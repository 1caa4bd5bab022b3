import { requireBrowser } from '@colloquy/test-support/browser'
import { postgresDatabase } from '@colloquy/test-support/postgres-database'
import { run } from '@colloquy/test-support/program'
import { createRandom } from '@colloquy/test-support/random'
import { SEED } from '@colloquy/test-support/seed'
import { useServer } from '@colloquy/test-support/servers'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { programAt } from '../../../scripts/programs/program.ts'
import { createConcierge } from './support/concierge.ts'
import { linesOf, openChat, openPage, pageOf, say, startSite } from './support/site.ts'

const REDIS = await useServer('redis')
const POSTGRES = await useServer('postgres')
const { profile } = requireBrowser()

/** As often a node is killed; `WIDGET_ROUNDS=20` for a long storm. */
const ROUNDS = Number(process.env.WIDGET_ROUNDS ?? '3')

/** Three nodes over one PostgreSQL and one Redis, before them a proxy that gives each connection to the next one. */
async function startNodes() {
  const program = run(process.execPath, programAt('examples/cluster/src/main.ts'), {
    ...{ DATABASE: await postgresDatabase(POSTGRES), BUS_URL: REDIS, PORT: '0', NODES: '3' },
  })
  const said = async (pattern: RegExp): Promise<string> =>
    pattern.exec(await program.line(pattern))?.[1] ?? ''
  const pids = (pattern: RegExp): readonly string[] =>
    [...program.output.stdout.matchAll(pattern)].flatMap(([, pid]) => pid ?? [])
  const serving = (): readonly string[] => {
    const ended = pids(/^Process (\d+) has ended/gm)
    return pids(/^Process (\d+) serves/gm).filter(pid => !ended.includes(pid))
  }
  const token = await said(/^Connector token: (.*)/)
  const port = await said(/listens on port (\d+)/)
  const complete = () => expect.poll(() => serving().length).toBe(3)
  await complete()
  return { complete, serving, server: `http://localhost:${port}`, token }
}

const heard = (lines: readonly string[], text: string): boolean =>
  lines.some(line => line.startsWith('theirs: Process') && line.endsWith(` heard: ${text}`))

test('WI4 and CB3 three browsers with two tabs each keep one transcript, streams included, while nodes are killed', {
  timeout: 240_000 + ROUNDS * 120_000,
}, async ({ task }) => {
  console.log(`COLLOQUY_TEST_SEED=${SEED} WIDGET_ROUNDS=${ROUNDS}`)
  const random = createRandom(SEED)
  const { complete, server, serving, token } = await startNodes()
  const { url } = await startSite({
    runtime: createConcierge().runtime,
    policy: `default-src 'none'; script-src 'self'; connect-src ${server} ${server.replace('http', 'ws')}; img-src data:`,
    pages: {
      '/': pageOf(
        `<main><h1>Harbour Hotel</h1></main><script src="{widget}" data-connector-token="${token}" data-server="${server}"></script>`,
      ),
    },
  })
  const visitors: (readonly [Page, Page])[] = []
  for (let count = 0; count < 3; count += 1) {
    const context = await profile()
    const first = await openPage(context, url)
    await openChat(first)
    await first.getByText('Welcome.').waitFor()
    const second = await openPage(context, url)
    await openChat(second)
    await second.getByText('Welcome.').waitFor()
    visitors.push([first, second])
  }

  const mine: string[] = []
  /** Replies that a node had begun when it was killed. */
  const begun: { readonly on: Page; readonly pid: string; readonly text: string }[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [slow, quick] = [`slowly ${round}`, `quick ${round}`]
    mine.push(slow, quick)
    await Promise.all(visitors.map(([first]) => say(first, slow)))
    const [watched] = visitors[random.below(3)] ?? []
    if (watched === undefined) throw new Error('There is no visitor.')
    // A reply that is under way says which node works on it: that node dies in the middle of it.
    const streaming = watched.locator('[aria-busy=true] .bubble')
    await streaming.waitFor()
    const [, working = ''] = /^Process (\d+)/.exec(await streaming.innerText()) ?? []
    begun.push({ on: watched, pid: working, text: slow })
    const other = random.chance(0.5) ? serving().find(pid => pid !== working) : undefined
    for (const pid of [working, other].filter(one => one !== undefined)) process.kill(Number(pid), 'SIGKILL')
    // The other tab goes on writing while the node is away, and one tab is loaded anew.
    await Promise.all(visitors.map(([, second]) => say(second, quick)))
    await visitors[random.below(3)]?.[1].reload()
    for (const [at, tabs] of visitors.entries())
      for (const tab of tabs)
        await expect
          .poll(async () => {
            const lines = await linesOf(tab)
            return [slow, quick].filter(text => !heard(lines, text)).map(text => `${at}: ${text}`)
          })
          .toEqual([])
    await complete()
  }

  let redone = 0
  for (const [first, second] of visitors) {
    const lines = await linesOf(first)
    const third = await openPage(first.context(), url)
    await openChat(third)
    await expect.poll(() => linesOf(third)).toHaveLength(lines.length)
    expect(await linesOf(second)).toEqual(lines)
    expect(await linesOf(third)).toEqual(lines)
    expect(lines.filter(line => line.startsWith('mine: ')).sort()).toEqual(
      mine.map(text => `mine: ${text}`).sort(),
    )
    const replies = lines.filter(line => line.startsWith('theirs: '))
    expect(replies[0]).toBe('theirs: Welcome.')
    expect(
      replies
        .slice(1)
        .map(line => line.replace(/^.* heard: /, ''))
        .sort(),
    ).toEqual([...mine].sort())
    redone += begun.filter(
      ({ on, pid, text }) =>
        on === first && !replies.includes(`theirs: Process ${pid} heard: ${text}`) && heard(replies, text),
    ).length
  }
  task.meta.told = [
    `Visitors in browsers: ${mine.length * 3} messages in 6 tabs, ${ROUNDS} nodes killed while they streamed, ${redone} of these replies finished by others`,
  ]
  expect(redone).toBeGreaterThan(0)
})
