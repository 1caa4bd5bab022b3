import { readFileSync } from 'node:fs'
import { run } from '@colloquy/test-support/program'
import { CREDENTIALS, startedBefore, startStandalone } from '@colloquy/test-support/standalone'
import { expect, test } from 'vitest'

const PAGE = readFileSync(new URL('../../docs/guides/real-time-configs.md', import.meta.url), 'utf8')

/** Each command of the page with the answer that it shows. */
const steps = [...PAGE.matchAll(/^```sh\n(.*?)^```\n\n```json\n(.*?)^```/gms)].map(
  ([, command = '', answer = '']) => ({
    command,
    answer,
  }),
)

/** The answer without what is another one each time. */
const settled = (json: string): unknown =>
  JSON.parse(json, (key, value) => {
    if (key === 'lastUpdated' && typeof value === 'string') return '<time>'
    return key === 'error_id' ? '<id>' : value
  })

test('AG62 the commands in docs/guides/real-time-configs.md answer what stands there', async () => {
  expect(steps.length).toBe(PAGE.match(/^```sh$/gm)?.length)
  expect(steps.length).toBeGreaterThanOrEqual(5)
  const server = await startStandalone({
    ...(await startedBefore()),
    COLLOQUY_LOG: 'error',
  })
  for (const { command, answer } of steps) {
    const shell = run('sh', ['-c', command], {
      COLLOQUY_URL: server.url,
      COLLOQUY_WORKSPACE_KEY: CREDENTIALS.COLLOQUY_WORKSPACE_KEY,
    })
    expect(await shell.exit, shell.output.stderr).toBe(0)
    expect(settled(shell.output.stdout)).toEqual(settled(answer))
  }
})
