import { requireBrowser } from '@colloquy/test-support/browser'
import { run } from '@colloquy/test-support/program'
import { freshDatabase } from '@colloquy/test-support/standalone'
import { expect, onTestFinished, test } from 'vitest'

const pages = requireBrowser()

const ANSWER = 'Check-in starts at 5 pm, and your room is warm by then.'

test('from npm start to a changed answer in the widget: sign in by the link, edit, merge, promote, ask', async ({
  task,
}) => {
  const began = Date.now()
  const told: string[] = []
  let before = began
  const took = (what: string): void => {
    told.push(`${what} ${((Date.now() - before) / 1_000).toFixed(1)} s`)
    before = Date.now()
  }
  const program = run('npm', ['start'], { PORT: '0', COLLOQUY_DATABASE: await freshDatabase() })
  // To kill npm would leave the server behind.
  onTestFinished(async () => {
    program.kill('SIGTERM')
    await program.exit
  })
  await expect.poll(() => program.output.stdout).toContain('"listening"')
  const printed = program.output.stderr
  const links = [...printed.matchAll(/http:\/\/\S+\/sign-in\?once=\S+/g)].map(([link]) => link)
  expect(links).toHaveLength(1)
  const [demo = ''] = /http:\/\/\S+\/demo/.exec(printed) ?? []
  took('The server listens after')

  const context = await pages.profile({ locale: 'en-GB' })
  const visitor = await pages.open(context, demo)
  await visitor.getByRole('button', { name: /^Chat/ }).click()
  await visitor.getByText('Welcome to Harbour Hotel').waitFor()
  const ask = async (question: string): Promise<void> => {
    await visitor.getByRole('textbox').fill(question)
    await visitor.keyboard.press('Enter')
  }
  await ask('What time is check-in?')
  await visitor.getByText('Check-in starts at 3 pm').waitFor()
  took('The first answer in the widget after')

  const author = await pages.open(context, links[0] ?? '')
  await author.getByLabel('Your name').fill('Ada')
  await author.keyboard.press('Enter')
  await author.getByRole('link', { name: 'Hotel front desk' }).click()
  took('The console is open after')
  await author.getByRole('link', { name: 'Branches' }).click()
  await author.getByRole('button', { name: 'New branch' }).click()
  await author.getByLabel('Name').fill('Later check-in')
  await author.keyboard.press('Enter')
  await author.getByRole('heading', { name: 'Later check-in' }).waitFor()
  await author.getByRole('link', { name: 'Topics' }).click()
  await author.getByLabel('Find a topic').fill('check-in')
  await author.getByRole('link', { name: 'Check-in', exact: true }).click()
  await author.getByLabel('Content').fill(ANSWER)
  await author.getByText('All changes are saved').waitFor()
  took('The topic is changed after')
  await author.getByRole('link', { name: 'Changes' }).click()
  await author.getByRole('button', { name: 'Merge into main' }).click()
  await author.locator('dialog').getByRole('button', { name: 'Merge into main' }).click()
  await author.getByRole('heading', { name: /^Merged/ }).waitFor()
  took('It is merged after')
  for (const lane of ['Pre-release', 'Live']) {
    await author.getByRole('button', { name: `Promote to ${lane}` }).click()
    const dialog = author.locator('dialog')
    await dialog.getByRole('button', { name: `Promote to ${lane}` }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  took('It is live after')

  // A conversation stays with the release that it began with.
  await visitor.getByRole('button', { name: 'More' }).click()
  await visitor.getByRole('button', { name: 'New conversation' }).click()
  await visitor.locator('.foot').getByRole('button', { name: 'New conversation' }).click()
  await visitor.getByText('Welcome to Harbour Hotel').waitFor()
  await ask('What time is check-in?')
  await visitor.getByText(ANSWER).waitFor()
  took('The changed answer in the widget after')

  const all = Date.now() - began
  task.meta.told = [
    `From npm start to a changed answer: ${(all / 1_000).toFixed(1)} s`,
    ...told.map(one => `  ${one}`),
  ]
  expect([author.complaints, visitor.complaints]).toEqual([[], []])
})
