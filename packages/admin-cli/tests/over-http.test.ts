import { createServer } from 'node:http'
import { createRequestListener } from '@colloquy/http-express'
import { listenOn } from '@colloquy/test-support/messaging-host'
import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { expect, onTestFinished, test } from 'vitest'
import { admin } from './support.ts'

test('over HTTP the tool works with a server of any brand, and needs no word of it', async () => {
  const { keys, platform } = await createPopulatedPlatform()
  const server = createServer(createRequestListener(platform))
  const url = `http://127.0.0.1:${await listenOn(server)}`
  onTestFinished(async () => {
    server.close()
    server.closeAllConnections()
    await platform.close()
  })
  const operator = ['--url', url, '--operator-key', keys.operator, '--json']
  const made = await admin([...operator, 'accounts', 'create', '--slug', 'three', '--name', 'Three'])
  expect(made).toMatchObject({ code: 0, err: '' })
  const listed = await admin([...operator, 'accounts', 'list'])
  expect(JSON.parse(listed.out).map(({ slug }: { readonly slug: string }) => slug)).toContain('three')
  const refused = await admin(['--url', url, '--operator-key', 'wrong', 'accounts', 'list'])
  expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/key/i) })
})

test.each([301, 307])('CL1 a redirect of %i is refused: neither key nor body go elsewhere', async status => {
  const asked: string[] = []
  const elsewhere = createServer(({ method }, response) => {
    asked.push(String(method))
    response.end('{}')
  })
  const other = `http://127.0.0.1:${await listenOn(elsewhere)}`
  const server = createServer((_, response) =>
    response.writeHead(status, { location: `${other}/in?token=told` }).end(),
  )
  const url = `http://127.0.0.1:${await listenOn(server)}`
  onTestFinished(() => {
    for (const one of [elsewhere, server]) one.close().closeAllConnections()
  })
  const refused = await admin([
    ...['--url', url, '--operator-key', 'a-key', 'accounts', 'create'],
    ...['--slug', 'three', '--name', 'Three'],
  ])
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toContain(`redirects to ${other}, which is not followed.`)
  expect(refused.err).not.toContain('told')
  expect(asked).toEqual([])
})
