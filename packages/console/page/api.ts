import { type Api, type ApiFetch, createApi, isApiError } from '@colloquy/client/http'
import { createTelephonyApi, type TelephonyApi } from '@colloquy/client/telephony'
import { createVoicesApi, type VoicesApi } from '@colloquy/client/voices'
import { signal } from '@preact/signals'
import type { TakenFiles } from './data/sent-file.ts'

/** The address of the console's own API: beside the page, wherever that is mounted. */
const SERVER = new URL('./api', document.baseURI).href.replace(/\/$/, '')

/** The account that calls are about whose path names none. */
export const accountId = signal('')

/** State of the sign-in: whether a response said that nobody is signed in, and the address to sign in again. */
export const signIn = signal<{ readonly needed: boolean; readonly url: string | null }>({
  needed: false,
  url: null,
})

/** Path of the call that returns the signed-in person. */
export const ME = '/console/v1/me'

/** Headers that only holders of keys send. */
const OF_KEYS: ReadonlySet<string> = new Set(['authorization', 'x-api-key', 'x-token', 'x-host'])

/** Counts of this page's writes to a branch. */
export interface Writes {
  readonly begun: number
  readonly ended: number
  /** Writes that ended and succeeded. */
  readonly done: number
}

const writes = new Map<string, Writes>()

/** Returns the counts of this page's writes to a branch. */
export const writesOf = (branchId: string): Writes => writes.get(branchId) ?? { begun: 0, ended: 0, done: 0 }

/** The branch in the path of a write to a part of it. */
const BRANCH = /\/api\/v1\/agents\/[^/]+\/branches\/([^/]+)\//

function writtenTo(branchId: string | undefined, more: Partial<Record<keyof Writes, number>>): void {
  if (branchId === undefined) return
  const { begun, ended, done } = writesOf(branchId)
  writes.set(branchId, {
    begun: begun + (more.begun ?? 0),
    ended: ended + (more.ended ?? 0),
    done: done + (more.done ?? 0),
  })
}

/** Calls of the page: the cookie of the host says who makes them, and no key is in it. */
async function asPerson(url: string, { headers, ...request }: Parameters<ApiFetch>[1]): Promise<Response> {
  const own = Object.entries(headers).filter(([name]) => !OF_KEYS.has(name.toLowerCase()))
  const branchId = request.method === 'GET' ? undefined : BRANCH.exec(url)?.[1]
  // Somebody else may sign in next, so nothing is sent in their name.
  if (signIn.value.needed && !url.endsWith(ME)) return new Response('{}', { status: 401 })
  writtenTo(branchId, { begun: 1 })
  const answer = await fetch(url, {
    ...request,
    credentials: 'same-origin',
    headers: {
      ...Object.fromEntries(own),
      'x-console': '1',
      ...(accountId.value === '' ? {} : { 'x-account': accountId.value }),
    },
  }).catch(error => {
    writtenTo(branchId, { ended: 1 })
    throw error
  })
  writtenTo(branchId, { ended: 1, done: answer.ok ? 1 : 0 })
  if (answer.status === 401) {
    const body: unknown = await answer
      .clone()
      .json()
      .catch(() => null)
    const url = Reflect.get(Object(body), 'sign_in_url')
    signIn.value = { needed: true, url: typeof url === 'string' ? url : null }
  }
  return answer
}

const NONE = { workspaceKey: '-', projectKey: '-', deskKey: '-', operatorKey: '-' }

/** All calls of the platform, made by the person who is signed in. */
export const api: Api = createApi({ server: SERVER, credentials: NONE, fetch: asPerson })

/** All calls about voices. */
export const voices: VoicesApi = createVoicesApi({
  ...{ server: SERVER, credentials: NONE, fetch: asPerson },
})

/** All calls about telephony. */
export const telephony: TelephonyApi = createTelephonyApi({
  ...{ server: SERVER, credentials: NONE, fetch: asPerson },
})

/** The signed-in person, with their accounts. */
export interface Me {
  readonly person: { readonly id: string; readonly name: string; readonly roles: readonly string[] }
  readonly accounts: readonly { readonly id: string; readonly slug: string; readonly name: string }[]
  readonly sign_out_url: string | null
  /** Whether conversations are found by their meaning. */
  readonly finds_meaning: boolean
  /** The most conversations in one exported file. */
  readonly most_exported: number
  /** URL of the widget's script for visitors' pages, and the brand that their tags must name. */
  readonly widget: { readonly url: string | null; readonly brand: string }
  readonly version: string
  /** Files that the host takes; null for none. */
  readonly files: TakenFiles | null
}

/** The signal of what nobody cuts off. */
const NEVER = new AbortController().signal

/** Returns the address of what a player reads itself. */
export const addressOf = (path: string): string => `${SERVER}${path}`

/** Asks without a body. */
const ask = (path: string, abort: AbortSignal, method: 'GET' | 'DELETE'): Promise<Response> =>
  asPerson(`${SERVER}${path}`, { method, headers: {}, signal: abort, redirect: 'manual' })

/** Sends JSON. */
const send = (
  path: string,
  body: unknown,
  abort: AbortSignal,
  method: 'POST' | 'PUT' = 'POST',
): Promise<Response> =>
  asPerson(`${SERVER}${path}`, {
    ...{ method, body: JSON.stringify(body), signal: abort, redirect: 'manual' },
    headers: { 'content-type': 'application/json' },
  })

/** Requests data that only the console has. @throws Error with the server's words */
export async function askConsole(
  path: string,
  abort: AbortSignal = NEVER,
  method: 'GET' | 'DELETE' = 'GET',
): Promise<unknown> {
  return answered(await ask(path, abort, method))
}

/** Sends something that only the console takes. @throws Error with the server's words */
export async function sendConsole(
  path: string,
  body: unknown,
  abort: AbortSignal = NEVER,
  method: 'POST' | 'PUT' = 'POST',
): Promise<unknown> {
  return answered(await send(path, body, abort, method))
}

/** Sends a question whose answer is a file of any length. @throws Error with the server's words */
export async function readConsole(path: string, body: unknown): Promise<Blob> {
  const answer = await send(path, body, NEVER)
  if (answer.status !== 200) await answered(answer)
  return answer.blob()
}

/** A refusal of a file. */
export class BytesRefused extends Error {
  readonly status: number

  constructor(status: number) {
    super(`HTTP ${status}`)
    this.status = status
  }
}

/** Sends a file as it is. @throws BytesRefused */
export async function sendBytes(path: string, file: Blob, abort: AbortSignal): Promise<unknown> {
  const answer = await asPerson(`${SERVER}${path}`, {
    ...{ method: 'POST', body: file, signal: abort, redirect: 'manual' },
    headers: { 'content-type': file.type },
  })
  if (answer.status !== 201) throw new BytesRefused(answer.status)
  return JSON.parse(await answer.text())
}

/** Reads a file. @throws BytesRefused, also for one of another type */
export async function readBytes(path: string, type: string, abort: AbortSignal = NEVER): Promise<Blob> {
  const answer = await ask(path, abort, 'GET')
  const isOf = answer.headers.get('content-type')?.split(';')[0] === type
  if (answer.status !== 200 || !isOf) throw new BytesRefused(answer.status)
  return answer.blob()
}

/** Statuses of what was done. */
const DONE: readonly number[] = [200, 201, 204]

async function answered(answer: Response): Promise<unknown> {
  const text = await answer.text()
  const body: unknown = text === '' ? null : JSON.parse(text)
  if (!DONE.includes(answer.status))
    throw new Error(String(Reflect.get(Object(body), 'error_message') ?? answer.status))
  return body
}

/** Opens a stream of events that only the console has. @throws Error where it is not answered with one */
export async function openEvents(
  path: string,
  abort: AbortSignal,
): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const answer = await ask(path, abort, 'GET')
  if (answer.status !== 200 || answer.body === null) throw new Error(String(answer.status))
  return answer.body.getReader()
}

/** Reports whether the same may get through later: nothing answered, or the server could not. */
export const isPassing = (error: unknown): boolean =>
  isApiError(error) && (error.status === 0 || error.status === 429 || error.status >= 500)

/** Reports whether something was not saved because somebody else has changed it since it was read. */
export const isChangedElsewhere = (error: unknown): boolean =>
  isApiError(error) && error.code === 'CONTENT_CHANGED'
