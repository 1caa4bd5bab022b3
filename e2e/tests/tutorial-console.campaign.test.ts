import { readFile } from 'node:fs/promises'
import { requireBrowser } from '@colloquy/test-support/browser'
import { run } from '@colloquy/test-support/program'
import { freshDatabase } from '@colloquy/test-support/standalone'
import { expect, test } from 'vitest'
import { follow, stepsOf, tutorial } from './support/tutorial.ts'

// Slow: it starts the standalone server anew, and a person's tabs in a browser.

const { open, profile } = requireBrowser()

const page = await tutorial('tutorial-console')

const { scripts }: { scripts: { start: string } } = JSON.parse(
  await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
)

test('DO8 the tutorial in the console leads from npm start to a person who takes over', async ({ task }) => {
  const [commands = ''] = Array.from(page.matchAll(/^```sh\n(.*?)^```/gms), ([, block = '']) => block)
  // Installed already.
  expect(commands.split('\n').slice(0, 2)).toEqual(['npm ci', 'npm start'])
  const began = performance.now()
  // What `npm start` runs. The program itself, so that it ends with the test.
  const [, , ...words] = scripts.start.split(' ')
  const server = run(process.execPath, words, { PORT: '0', COLLOQUY_DATABASE: await freshDatabase() })
  const link = /http:\S+/.exec(await server.line(/a link that signs you in once/))?.[0] ?? ''
  await server.line(/"listening"/)
  const { origin } = new URL(link)
  const steps = stepsOf(page)
  expect(steps.length).toBeGreaterThan(45)
  const mine = await profile({ locale: 'en-GB', viewport: { width: 1280, height: 800 } })
  await follow(steps, {
    signIn: () => open(mine, link),
    another: address => open(mine, address.replace('http://127.0.0.1:8080', origin)),
  })
  task.meta.told = [
    `The tutorial in the console: ${((performance.now() - began) / 1_000).toFixed(1)} s, without reading`,
  ]
})

test('DO8 every word of a numbered line of the tutorial in the console is part of a step', () => {
  const lines = page.match(/^\d+\. .+$/gm) ?? []
  const told = lines.map(line => line.replace(/^\d+\. /, '')).join(' ')
  expect(
    stepsOf(page)
      .map(({ sentence }) => sentence)
      .join(' '),
  ).toBe(told)
})
