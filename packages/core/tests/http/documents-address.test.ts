import { describe, expect, it } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { askDocuments } from '../support/asking-documents.ts'

describe('documents', () => {
  it('HT61 both name where they are served', async () => {
    const { ask } = askDocuments(createDispatcher)
    const servers = async (path: string, more = {}) => (await ask(path, more)).json.servers
    expect(await servers('/openapi.json', { basePath: '/talk' })).toEqual([{ url: '/talk' }])
    expect(await servers('/openapi.json')).toEqual([{ url: '/' }])
    const secured = { headers: { host: 'talk.example.com' }, secure: true, remoteAddress: '203.0.113.9' }
    expect(await servers('/asyncapi.json', secured)).toEqual({
      here: { host: 'talk.example.com', protocol: 'wss' },
      http: { host: 'talk.example.com', protocol: 'https' },
    })
    const strange = { headers: { host: 'a"b' }, secure: false, basePath: '/talk' }
    expect(await servers('/asyncapi.json', strange)).toEqual({
      here: { host: 'localhost', protocol: 'ws' },
      http: { host: 'localhost', protocol: 'http', pathname: '/talk' },
    })
  })

  it('HT61 a client that has the document of one place is given that of another', async () => {
    const { ask } = askDocuments(createDispatcher)
    const known = { 'if-none-match': String((await ask('/openapi.json')).headers.ETag) }
    expect((await ask('/openapi.json', { headers: known })).status).toBe(304)
    expect((await ask('/openapi.json', { headers: known, basePath: '/a' })).status).toBe(200)
  })
})
