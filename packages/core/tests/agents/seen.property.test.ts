import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { request } from '../support/request.ts'

const AGENT = 'PROJECT-SEEN'
const TOPIC = { name: 'Breakfast', content: 'From seven.' }

async function setUp() {
  const { platform, keys } = await createPopulatedPlatform({ workers: false })
  const dispatcher = createDispatcher(platform, routes)
  const { agents } = platform
  await agents.create({ accountId: 'ws-one', agentId: AGENT, name: 'Desk', greeting: 'Hello' })
  const branch = await agents.createBranch(AGENT, { branchName: 'menu' })
  const call = async (line: string, body?: unknown) => {
    const answer = await dispatcher.handle(request(line, { headers: { 'x-api-key': keys.workspace }, body }))
    return { status: answer.status, json: JSON.parse(answer.body ?? 'null') }
  }
  const mergePath = `POST /v1/agents/${AGENT}/branches/${branch.id}/merge`
  return { agents, branch, call, mergePath }
}

const outcomeOf = (released: Promise<unknown>): Promise<unknown> =>
  released.then(
    () => 'released',
    error => [error.code, error.details.body?.changed],
  )

const pathsOf = (changes: readonly { readonly path: readonly string[] }[]): readonly string[] =>
  changes.map(({ path }) => path.join('/')).toSorted()

describe('what is confirmed is what was shown', () => {
  test('AG121 a merge of a branch that was edited since is refused with a new preview, and writes nothing', async () => {
    const { agents, branch } = await setUp()
    const { branchVersion, mainRevision } = await agents.diff(AGENT, branch.id)
    await agents.createTopic(AGENT, branch.id, TOPIC)
    const merging = agents.merge(AGENT, branch.id, { expected: { branchVersion, mainRevision } })
    const preview = await agents.previewMerge(AGENT, branch.id)
    await expect(merging).rejects.toMatchObject({
      code: 'CONTENT_CHANGED',
      message: 'The branch has changed since it was shown; look at what it would be now, and confirm that.',
      details: { body: { changed: ['branchVersion'], preview } },
    })
    expect(preview.changes.length).toBeGreaterThan(0)
    expect(await agents.topics(AGENT, 'main')).toEqual([])
    const now = { branchVersion: preview.branchVersion, mainRevision: preview.mainRevision }
    await agents.merge(AGENT, branch.id, { expected: now })
    expect(await agents.topics(AGENT, 'main')).toHaveLength(1)
  })

  test('AG121 over HTTP the same in texts, with the shapes of a diff', async () => {
    const { agents, branch, call, mergePath } = await setUp()
    const shown = (await call(`GET /v1/agents/${AGENT}/branches/${branch.id}/diff`)).json
    await agents.createTopic(AGENT, branch.id, { ...TOPIC, exampleQueries: ['When?'] })
    const { branchVersion, mainRevision } = shown
    const { status, json } = await call(mergePath, { expected: { branchVersion, mainRevision } })
    expect([status, json.error_code, json.changed]).toEqual([409, 'CONTENT_CHANGED', ['branchVersion']])
    expect(json.preview.changes).toContainEqual(
      expect.objectContaining({ theirsValue: { queries: ['When?'] } }),
    )
    for (const wrong of ['', '-1', '1.5', 'x', '1e3'])
      expect((await call(mergePath, { expected: { branchVersion: wrong } })).status).toBe(409)
    expect((await call(mergePath, { expected: { branchVersion: 1 } })).status).toBe(400)
    expect(
      (await call(mergePath, { expected: { ...json.preview, changes: 1 } })).status,
    ).toBeGreaterThanOrEqual(200)
    await agents.deleteBranch(AGENT, branch.id)
  })

  test('AG121 a release replaces what was seen to run there, and publishes the main that was seen', async () => {
    const { agents } = await setUp()
    const first = await agents.publish(AGENT, {
      environment: 'live',
      expected: { activeDeploymentId: null, mainRevision: 1 },
    })
    const outcomes = [
      agents.publish(AGENT, { environment: 'sandbox', expected: { mainRevision: 7 } }),
      agents.promote(AGENT, (await agents.publish(AGENT)).id, {
        targetEnvironment: 'live',
        expected: { activeDeploymentId: null },
      }),
      agents.rollback(AGENT, first.id, { expected: { activeDeploymentId: 'DEPLOYMENT-0' } }),
      agents.rollback(AGENT, first.id, { expected: { activeDeploymentId: first.id } }),
    ].map(outcomeOf)
    expect(await Promise.all(outcomes)).toEqual([
      ['CONTENT_CHANGED', ['mainRevision']],
      ['CONTENT_CHANGED', ['activeDeploymentId']],
      ['CONTENT_CHANGED', ['activeDeploymentId']],
      'released',
    ])
  })

  test('AG19 a publication that was previewed changes what the preview showed, or is refused', async () => {
    const { agents, branch } = await setUp()
    expect(await agents.previewPublish(AGENT)).toEqual({
      mainRevision: 1,
      activeDeploymentId: null,
      changes: null,
    })
    const first = await agents.publish(AGENT)
    await agents.createTopic(AGENT, branch.id, TOPIC)
    const { deployment } = await agents.merge(AGENT, branch.id)
    await agents.rollback(AGENT, first.id)
    const { changes, ...expected } = await agents.previewPublish(AGENT)
    expect(expected.mainRevision).toBe(deployment.revision)
    const running = (await agents.activeDeployments(AGENT)).sandbox
    expect(changes).toEqual(await agents.compareDeployments(AGENT, deployment.id, running?.id ?? ''))
    expect(changes).not.toEqual([])
    await agents.updateBehavior(AGENT, branch.id, 'Be brief.')
    await agents.merge(AGENT, branch.id)
    await agents.rollback(AGENT, first.id)
    const now = await agents.previewPublish(AGENT)
    const { activeDeploymentId } = now
    expect(await outcomeOf(agents.publish(AGENT, { expected: { ...expected, activeDeploymentId } }))).toEqual(
      ['CONTENT_CHANGED', ['mainRevision']],
    )
    const seen = { mainRevision: now.mainRevision, activeDeploymentId }
    await agents.publish(AGENT, { expected: seen })
    expect((await agents.previewPublish(AGENT)).changes).toEqual([])
    await expect(agents.previewPublish('PROJECT-NONE')).rejects.toMatchObject({ code: 'PROJECT_NOT_FOUND' })
  })

  test('AG121 however edits and merges race, a merge changes what its preview showed, or is refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('edit', 'merge', 'look'), { maxLength: 12 }), async acts => {
        const { agents, branch } = await setUp()
        const deployments = new Map([[1, (await agents.publish(AGENT)).id]])
        const begun: Promise<unknown>[] = []
        let seen = await agents.previewMerge(AGENT, branch.id)
        async function merge({ branchVersion, mainRevision, changes }: typeof seen): Promise<void> {
          const merged = await agents.merge(AGENT, branch.id, { expected: { branchVersion, mainRevision } })
          const { id, revision } = merged.deployment
          deployments.set(revision, id)
          const before = deployments.get(mainRevision) ?? ''
          const made = await agents.compareDeployments(AGENT, id, before)
          // Topics that one merge adds come in any order.
          expect(pathsOf(made)).toEqual(pathsOf(changes))
        }
        for (const [index, act] of acts.entries()) {
          if (act === 'look') seen = await agents.previewMerge(AGENT, branch.id)
          else if (act === 'edit')
            begun.push(agents.createTopic(AGENT, branch.id, { ...TOPIC, name: `Topic ${index}` }))
          else begun.push(merge(seen).catch(error => expect(error.code).toBe('CONTENT_CHANGED')))
        }
        await Promise.all(begun)
      }),
      { numRuns: runs(30, 300) },
    )
  })
})
