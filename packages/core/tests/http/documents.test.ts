import { describe, expect, it } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { askDocuments } from '../support/asking-documents.ts'

describe('documents', () => {
  it('HT61 both documents are read without a credential, by any page', async () => {
    const { ask, dispatcher } = askDocuments(createDispatcher)
    expect(dispatcher.matches('/openapi.json') && dispatcher.matches('/asyncapi.json')).toBe(true)
    const { status, headers, json } = await ask('/openapi.json')
    expect({ status, openapi: json.openapi }).toEqual({ status: 200, openapi: '3.1.1' })
    expect(Object.values(json.paths).flatMap(item => Object.keys(Object(item)))).toHaveLength(routes.length)
    expect(headers).toMatchObject({
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': 'public, max-age=300',
      'Content-Type': 'application/json; charset=utf-8',
    })
    expect((await ask('/asyncapi.json')).json.asyncapi).toBe('3.0.0')
  })

  it('HT61 a client that has a document is told that it is the same', async () => {
    const { ask } = askDocuments(createDispatcher)
    const { headers } = await ask('/openapi.json')
    const known = { 'if-none-match': `"other", W/${headers.ETag}` }
    expect(await ask('/openapi.json', { headers: known })).toMatchObject({ status: 304, body: null })
    expect(await ask('/asyncapi.json', { headers: known })).toMatchObject({ status: 200 })
    expect(await ask('/openapi.json', { method: 'HEAD' })).toMatchObject({ status: 200, body: null })
  })

  it('HT61 another method is 405, and a closed platform 503', async () => {
    const { ask, platform } = askDocuments(createDispatcher)
    const refused = await ask('/openapi.json', { method: 'POST' })
    expect(refused).toMatchObject({ status: 405, headers: { Allow: 'GET, HEAD' } })
    await platform.close()
    expect((await ask('/openapi.json')).status).toBe(503)
  })

  it('HT61 a router of some families describes those alone', async () => {
    const { ask } = askDocuments(createDispatcher, { families: ['messaging'], crossOrigin: false })
    const { headers, json } = await ask('/openapi.json')
    expect(Object.keys(json.paths)).toEqual([
      '/api/v1/access-token',
      '/api/v1/sessions',
      '/api/v1/sessions/{sessionId}/stream',
      '/api/v1/sessions/{sessionId}/events',
      '/api/v1/sessions/{sessionId}/rating',
      '/api/v1/sessions/{sessionId}/files',
      '/api/v1/sessions/{sessionId}/files/{fileId}',
      '/api/v1/files/{token}',
    ])
    expect(json.tags).toHaveLength(1)
    expect(headers).not.toHaveProperty('Access-Control-Allow-Origin')
  })

  it('HT61 with documents: false both paths are the host’s', async () => {
    const { ask, dispatcher } = askDocuments(createDispatcher, { documents: false })
    expect(dispatcher.matches('/openapi.json') || dispatcher.matches('/asyncapi.json')).toBe(false)
    expect((await ask('/openapi.json')).status).toBe(404)
  })
})
