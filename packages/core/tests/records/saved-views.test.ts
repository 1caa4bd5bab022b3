import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { expect, test } from 'vitest'

const ONE = 'ws-one'

test('RC605 a view is shared by an account, under one name in any case, and replaced by that name', async () => {
  const { platform } = await createPopulatedPlatform()
  const { views } = platform.as({ name: 'Ada' }).conversations
  const rated = { show: 'rated', environment: 'sandbox' }
  expect(await views.save(ONE, { name: '  Bad ratings ', filters: rated })).toMatchObject({
    ...{ name: 'Bad ratings', filters: rated },
  })
  await views.save(ONE, { name: 'All', filters: {} })
  await views.save(ONE, { name: 'BAD ratings', filters: { show: 'unanswered' } })
  const listed = (await views.list(ONE)).map(({ name, filters }) => [name, filters])
  expect(listed).toEqual([
    ['All', {}],
    ['BAD ratings', { show: 'unanswered' }],
  ])
  expect(await views.list('ws-two')).toEqual([])
  await views.delete(ONE, 'bad Ratings')
  await expect(views.delete(ONE, 'bad ratings')).rejects.toMatchObject({ code: 'VIEW_NOT_FOUND' })
  await expect(views.delete('ws-two', 'All')).rejects.toMatchObject({ code: 'VIEW_NOT_FOUND' })
  await expect(views.save('ws-none', { name: 'x', filters: {} })).rejects.toMatchObject({
    ...{ code: 'ACCOUNT_NOT_FOUND' },
  })
  const { entries } = await platform.audit.list({ accountId: ONE })
  expect(entries.slice(0, 2)).toMatchObject([
    { action: 'view.deleted', resource: { id: 'bad Ratings' }, actor: { name: 'Ada' } },
    { action: 'view.saved', resource: { id: 'BAD ratings' } },
  ])
})

test('RC605 views and their filters are bounded, and the limit is named', async () => {
  const { platform } = await createPopulatedPlatform({ savedViews: 2 })
  const { views } = platform.conversations
  for (const name of ['a', 'b']) await views.save(ONE, { name, filters: {} })
  await expect(views.save(ONE, { name: 'c', filters: {} })).rejects.toMatchObject({
    ...{ code: 'VIEWS_LIMIT', message: 'An account has at most 2 saved views.' },
  })
  await views.save(ONE, { name: 'A', filters: { show: 'rated' } })
  const many = Object.fromEntries(Array.from({ length: 31 }, (_, at) => [`f${at}`, 'x']))
  for (const [name, filters] of [
    ['', {}],
    ['x'.repeat(81), {}],
    ['a\u202eb', {}],
    ['many', many],
    ['long', { find: 'x'.repeat(1_001) }],
    ['wide', { ['x'.repeat(41)]: '1' }],
  ] as const)
    await expect(views.save(ONE, { name, filters }), name).rejects.toMatchObject({
      code: 'SCHEMA_VALIDATION_FAILED',
    })
})
