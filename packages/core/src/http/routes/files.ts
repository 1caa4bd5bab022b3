import * as z from 'zod'
import { isoTime } from '../../domain/time.ts'
import { sliceOf } from '../../shared/slice-of.ts'
import type { OpenFile } from '../../usecases/files/file-address.ts'
import { type FileAddress, fileHeaders } from '../../usecases/files/file-address.ts'
import type { NewFile } from '../../usecases/files/store-file.ts'
import { bearerToken } from '../../usecases/messaging/access-token.ts'
import { rangedAnswer } from '../ranged-answer.ts'
import { refuseEncoding } from '../read-json.ts'
import { defineRoute, type HttpRequest, type Route } from '../route.ts'
import { handshakeError, sessionParams } from './messaging-stream.ts'

/** The name of a file that is sent. */
export const fileQuery = z.object({
  name: z
    .string()
    .max(1_000)
    .default('')
    .describe('The name of the file. Its last part is kept, with an ending of its type'),
})

/** Parameters of the path that name a file. */
export const fileParam = { fileId: z.string().max(64) }

/** A body that is the file itself; its content type is the declared one. */
export function fileOfRequest(request: HttpRequest, { name }: z.output<typeof fileQuery>): NewFile {
  return {
    name,
    type: request.headers['content-type'] ?? '',
    async read({ bytes, timeout }) {
      refuseEncoding(request.headers)
      return request.body(bytes, timeout)
    },
  }
}

/** An address on the wire: a path on the host that the request came to. */
export const addressOnWire = ({ expiresAt, token }: FileAddress, { basePath = '' }: HttpRequest) => ({
  url: `${basePath}/api/v1/files/${token}`,
  expires_at: isoTime(expiresAt),
})

/** Answers with a file, or a range of it. */
export const fileAnswer = (request: HttpRequest, { chunks, file }: OpenFile) =>
  rangedAnswer(
    request,
    { bytes: file.size, tag: file.id, read: part => sliceOf(chunks, part) },
    fileHeaders(file),
  )

type Page = Parameters<NonNullable<Route['admitPage']>>[0]

/** Pages on the hosts of the connector for which the access token was issued (HY2). */
const admitPage = ({ platform, request: { headers, remoteAddress }, origin }: Page) =>
  platform.messaging.admitPage({
    credential: { authorization: headers.authorization ?? null },
    ...{ origin, remoteAddress },
  })

const ofSession = {
  family: 'messaging',
  credential: 'own',
  invalid: 'MESSAGING_BAD_REQUEST',
  admitPage,
  refusesPlainText: true,
} as const

const credentialsOf = ({ headers }: HttpRequest) => ({
  accessToken: bearerToken(headers.authorization ?? null),
  origin: headers.origin ?? null,
})

/** Receives a visitor's file, for a message that names it (FI1). */
const uploadRoute = defineRoute({
  ...ofSession,
  method: 'POST',
  path: '/api/v1/sessions/:sessionId/files',
  operation: 'uploadFile',
  summary: 'Send a file for a message that names it: its bytes are the body',
  params: sessionParams,
  query: fileQuery,
  body: 'raw',
  async handle({ platform, params: { sessionId }, query, request }) {
    const file = fileOfRequest(request, query)
    const sent = await platform.messaging.uploadFile({ sessionId, ...credentialsOf(request), file })
    if ('status' in sent) throw handshakeError(sent)
    return { status: 201, json: sent }
  },
})

const addressRoute = defineRoute({
  ...ofSession,
  method: 'GET',
  path: '/api/v1/sessions/:sessionId/files/:fileId',
  operation: 'readFileAddress',
  summary: 'Get an address of a file, which expires',
  params: sessionParams.extend(fileParam),
  async handle({ platform, params: { fileId, sessionId }, request }) {
    const address = await platform.messaging.fileAddress({ sessionId, ...credentialsOf(request), fileId })
    if ('status' in address) throw handshakeError(address)
    return { status: 200, json: addressOnWire(address, request) }
  },
})

/** Serves the file of an address. The address is the credential, so pages of every origin that have it may read it. */
const contentRoute = defineRoute({
  method: 'GET',
  path: '/api/v1/files/:token',
  family: 'messaging',
  credential: 'own',
  operation: 'readFile',
  summary: 'Read the file of an address',
  params: z.object({ token: z.string() }),
  invalid: 'MESSAGING_BAD_REQUEST',
  admitPage: async () => ({ readable: true, refusal: null }),
  async handle({ platform, params: { token }, request }) {
    return fileAnswer(request, await platform.messaging.openFile(token))
  },
})

/** Files of visitors' sessions, and those of all addresses (contract/messaging.md, Files). */
export const fileRoutes = [uploadRoute, addressRoute, contentRoute] as const
