import { requireBrowser } from '@colloquy/test-support/browser'
import { freePort } from '@colloquy/test-support/own-server'
import { expect, test } from 'vitest'
import {
  complete,
  emptyFolder,
  packedHere,
  type Section,
  sectionsOf,
  start,
  writeFiles,
} from './support/newcomer.ts'
import { follow, stepsOf, tutorial } from './support/tutorial.ts'

// Slow: it packs the packages, and installs them into an empty folder.

const { open, profile } = requireBrowser()

const page = await tutorial('tutorial-code')

/** The numbered sections, in order. */
const sections = sectionsOf(page).filter(({ title }) => /^\d/.test(title))

const asHere = packedHere()

test('DO8 the tutorial in code leads from an empty folder to a person who takes over', {
  timeout: 400_000,
}, async ({ task }) => {
  const folder = await emptyFolder()
  const began = performance.now()
  const port = await freePort()
  const url = `http://localhost:${port}`
  const walk = async (section: Section): Promise<void> => {
    await writeFiles(folder, [section])
    const [...shown] = section.shown
    for (const command of section.commands) {
      if (command === 'node server.js') await start(command, folder, { port, url, until: /Listening/ })
      else if (command.startsWith('node ')) expect(await complete(command, folder)).toBe(shown.shift())
      else await complete(asHere(command), folder)
    }
    expect(shown).toEqual([])
  }
  for (const section of sections) await walk(section)
  const installed = performance.now()
  const steps = stepsOf(page)
  expect(steps.length).toBeGreaterThan(15)
  const [mine, theirs] = [await profile({ locale: 'en-GB' }), await profile({ locale: 'en-GB' })]
  await follow(steps, {
    another: address =>
      open(address.endsWith('/console/') ? mine : theirs, address.replace('http://localhost:3000', url)),
  })
  const seconds = (from: number, to: number) => ((to - from) / 1_000).toFixed(1)
  task.meta.told = [
    `The tutorial in code: ${seconds(began, performance.now())} s, without reading`,
    `  Installed and started in ${seconds(began, installed)} s`,
  ]
})

test('DO8 the first program of the tutorial in code has fifteen lines', () => {
  const [first = ''] = sections.flatMap(({ files }) => files).map(([, content]) => content)
  expect(first.match(/^.*\w.*$/gm)).toHaveLength(15)
})
