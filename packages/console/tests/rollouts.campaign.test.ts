import { mkdirSync } from 'node:fs'
import { findingsOf } from '@colloquy/test-support/axe'
import { requireBrowser } from '@colloquy/test-support/browser'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DEMO_ACCOUNT_ID, DEMO_AGENT_ID } from '../../../examples/standalone/src/seed.ts'
import { goTo, startSite } from './site.ts'

const pages = requireBrowser()
const SHOTS = process.env.COLLOQUY_SHOTS

const DAY = 86_400_000

type Site = Awaited<ReturnType<typeof startSite>>

/** Releases a version to pre-release that live does not run. */
async function release({ platform }: Site): Promise<void> {
  const { agents } = platform
  const branch = await agents.createBranch(DEMO_AGENT_ID, { branchName: 'Warmer words' })
  await agents.updateBehavior(DEMO_AGENT_ID, branch.id, 'Be warm.')
  const { deployment } = await agents.merge(DEMO_AGENT_ID, branch.id)
  await agents.promote(DEMO_AGENT_ID, deployment.id, { deploymentMessage: 'Warmer words' })
}

/** Lets the rollout look five days old, with conversations of all of them: the candidate hands fewer over. */
async function live({ platform, store }: Site): Promise<void> {
  const [before] = await store.agents.rollouts.running(DEMO_AGENT_ID)
  if (before === undefined) throw new Error('No rollout runs.')
  const startedAt = Date.now() - 5 * DAY
  const shares = [{ basisPoints: 5_000, at: startedAt, by: 'u-ada' }]
  await store.agents.rollouts.change({ before, after: { ...before, startedAt, shares } })
  for (let at = 0; at < 300; at++) {
    const known = { agentId: DEMO_AGENT_ID, conversationId: `C-${at}` }
    const began = startedAt + 1 + (at % 5) * DAY
    const where = { accountId: DEMO_ACCOUNT_ID, environment: 'live', channel: 'CHAT' } as const
    await platform.conversations.start({ ...known, ...where, startedAt: began })
    await platform.conversations.recordTurn({
      ...{ ...known, turnId: `T-${at}`, userInput: 'Is there a pool?', userInputAt: began },
      ...{ agentResponse: 'Yes.', agentResponseAt: began + 700 },
    })
    const record = await platform.reading.record(DEMO_ACCOUNT_ID, DEMO_AGENT_ID, known.conversationId)
    const isBase = record?.details.value.deployment_id === before.base.deploymentId
    const handoff = { handoff: { destination: 'reception', reason: 'Asked for a person' } }
    await platform.conversations.finish({ ...known, ...(at % 10 < (isBase ? 5 : 1) ? handoff : {}) })
  }
}

async function shoot(page: Page, name: string): Promise<string[]> {
  if (SHOTS !== undefined) mkdirSync(SHOTS, { recursive: true })
  const findings: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    if (SHOTS !== undefined)
      await page.screenshot({ path: `${SHOTS}/console-${name}-${colorScheme}.png`, fullPage: true })
    findings.push(...(await findingsOf(page)), ...(await page.evaluate<string[]>(CUT_BUTTONS)))
  }
  return findings
}

/** Finds the buttons whose words reach beyond them. */
const CUT_BUTTONS = `[...document.querySelectorAll('.button')]
  .filter(({ clientWidth, scrollWidth }) => scrollWidth > clientWidth)
  .map(({ textContent }) => 'cut: ' + textContent)`

const WAYS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['desk', { viewport: { width: 1280, height: 900 } }],
  ['phone', { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }],
]

test.each(WAYS)(
  'CO670 a version is tried with a share, compared, and given to everyone: %s',
  async (way, options) => {
    const site = await startSite()
    await release(site)
    const page = await site.open(pages, 'ada', options)
    await goTo(page, `#/agents/${DEMO_AGENT_ID}/rollouts`)
    await page.getByText('No version is tried yet').waitFor()
    const findings = await shoot(page, `rollouts-none-${way}`)
    await page.getByRole('button', { name: 'Try a version' }).click()
    const dialog = page.getByRole('dialog')
    const share = dialog.getByLabel('Share in percent')
    await share.fill('101')
    await dialog.getByText('Write a number from 0 to 100.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Try a version' }).isDisabled()).toBe(true)
    await share.fill('50')
    findings.push(...(await shoot(page, `rollouts-start-${way}`)))
    await dialog.getByRole('button', { name: 'Try a version' }).click()
    await page.getByText('Running').waitFor()
    await live(site)
    await page.reload()
    await page.getByText('Better').waitFor()
    await page.locator('.plot canvas').waitFor()
    findings.push(...(await shoot(page, `rollout-${way}`)))
    const { live: base, 'pre-release': other } = await site.platform.agents.activeDeployments(DEMO_AGENT_ID)
    const rollout = page.url()
    for (const deployment of [base, other]) {
      await page
        .locator('.lanes')
        .getByRole('link', { name: `Conversations of version ${deployment?.revision}` })
        .click()
      await page.waitForURL(new RegExp(`version=${deployment?.id}`))
      await page.getByRole('table').waitFor()
      await page.goto(rollout)
      await page.getByText('Better').waitFor()
    }
    await page
      .locator('.lanes')
      .getByRole('link', { name: `Unanswered by version ${base?.revision}` })
      .click()
    await page.waitForURL(new RegExp(`unanswered.*version=${base?.id}`))
    await page.getByText('No open questions').waitFor()
    await page.goto(rollout)
    await page.getByText('Better').waitFor()
    await page.getByLabel('Share in percent').fill('62.5')
    await page.getByRole('button', { name: 'Set the share' }).click()
    await page.getByRole('cell', { name: '62.5%' }).waitFor()

    // Nothing else is released meanwhile, and the page says so.
    await goTo(page, `#/agents/${DEMO_AGENT_ID}`)
    await page.getByRole('button', { name: 'Promote to Live' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Promote to Live' }).click()
    await page.getByText('Two versions share this environment. End the rollout first.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()

    await goTo(page, `#/agents/${DEMO_AGENT_ID}/rollouts`)
    await page.getByRole('link', { name: /against/ }).click()
    await page.getByRole('button', { name: /for everyone/ }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /for everyone/ })
      .click()
    await page.getByText('Ended', { exact: true }).waitFor()
    await page.getByText('Winner', { exact: true }).waitFor()
    expect(await page.getByText('Ended early').count()).toBe(0)
    const { live: now, 'pre-release': tried } = await site.platform.agents.activeDeployments(DEMO_AGENT_ID)
    expect(now?.version).toBe(tried?.version)
    expect(findings).toEqual([])
    expect(page.elsewhere).toEqual([])
  },
)

test('CO691 the history of a share says who set it: people, keys, alert rules and the host, by name', async () => {
  const site = await startSite()
  const { origin, platform, store } = site
  await release(site)
  const { 'pre-release': tried } = await platform.agents.activeDeployments(DEMO_AGENT_ID)
  const rule = await platform.alerts.createRule(DEMO_ACCOUNT_ID, {
    ...{ name: 'Slow answers', metric: 'turn_latency_p95', operator: '>', threshold: 9_000, window: '60m' },
    agentId: DEMO_AGENT_ID,
  })
  const { id } = await platform.agents.rollouts.start(DEMO_AGENT_ID, {
    ...{ deploymentId: tried?.id ?? '', basisPoints: 250, guards: [rule.id] },
  })
  const key = await platform.access.createApiKey({
    ...{ kind: 'workspace', accountId: DEMO_ACCOUNT_ID, name: 'Nightly build' },
  })
  const answer = await fetch(`${origin}/v1/agents/${DEMO_AGENT_ID}/rollouts/${id}`, {
    method: 'PATCH',
    headers: { 'x-api-key': key.secret, 'content-type': 'application/json' },
    body: JSON.stringify({ basisPoints: 500 }),
  })
  expect(answer.status).toBe(200)
  await platform
    .as({ type: 'person', id: 'u-eve', name: 'Eve' })
    .agents.rollouts.setShare(DEMO_AGENT_ID, id, { basisPoints: 750 })
  const [before] = await store.agents.rollouts.running(DEMO_AGENT_ID)
  if (before === undefined) throw new Error('No rollout runs.')
  const parked = { basisPoints: 0, at: Date.now(), by: rule.id }
  await store.agents.rollouts.change({ before, after: { ...before, shares: [...before.shares, parked] } })

  const seen = async (who: 'ada' | 'ben', locale: string) => {
    const page = await site.open(pages, who, { ...WAYS[0]?.[1], locale })
    await goTo(page, `#/agents/${DEMO_AGENT_ID}/rollouts/${id}`)
    const rows = page.locator('table').last().locator('tbody tr')
    await rows.nth(3).waitFor()
    await rows.getByText('Slow answers').waitFor()
    if (who === 'ada') await rows.getByText('Nightly build').waitFor()
    const names = await rows.locator('td:last-child').allInnerTexts()
    return { page, names }
  }
  const { page, names } = await seen('ada', 'en-GB')
  expect(names).toEqual(['alert rule Slow answers', 'Eve', 'API key Nightly build', 'the host’s program'])
  const findings = await shoot(page, 'rollout-who')
  await goTo(page, `#/agents/${DEMO_AGENT_ID}/releases`)
  await page.getByRole('table').getByText('the host’s program').first().waitFor()
  await page.getByLabel('Live', { exact: true }).getByText('by the host’s program').waitFor()
  findings.push(...(await shoot(page, 'releases-who')))
  await page.setViewportSize({ width: 390, height: 760 })
  findings.push(...(await shoot(page, 'releases-who-phone')))
  // Who may not read keys is shown the id.
  expect((await seen('ben', 'de-DE')).names).toEqual([
    ...['der Alarmregel Slow answers', 'Eve', `API-Schlüssel ${key.key.id}`, 'dem Programm des Hosts'],
  ])
  expect(findings).toEqual([])
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

test('CO670 in German, and for a reader, who changes nothing', async () => {
  const site = await startSite()
  await release(site)
  const { 'pre-release': tried } = await site.platform.agents.activeDeployments(DEMO_AGENT_ID)
  await site.platform.agents.rollouts.start(DEMO_AGENT_ID, {
    deploymentId: tried?.id ?? '',
    basisPoints: 250,
  })
  const page = await site.open(pages, 'ben', { viewport: { width: 1280, height: 900 }, locale: 'de-DE' })
  await goTo(page, `#/agents/${DEMO_AGENT_ID}/rollouts`)
  await page.getByText('2,5 %').waitFor()
  await page.getByRole('link', { name: /gegen/ }).click()
  await page.getByText('Noch zu wenige').first().waitFor()
  const findings = await shoot(page, 'rollout-german')
  expect(await page.getByRole('button', { name: 'Anteil setzen' }).count()).toBe(0)
  expect(findings).toEqual([])
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})
