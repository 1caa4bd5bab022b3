import type { Platform } from '@colloquy/core'
import type { Handshake, HandshakeRefusal } from '@colloquy/core/transport'
import * as z from 'zod'
import type { AgUiVisitor } from './handler.ts'
import type { Run } from './run-input.ts'
import { createSeal, type ThreadSession } from './seal.ts'

/** The session in the page's state, under `colloquy`. */
export interface PageSession {
  /** Sealed, with the token that opens it. */
  readonly session: string
  readonly sessionId: string
  /** The sequence of the last log event that was sent; 0 at first. */
  readonly told: number
}

/** A session that a run may connect to. */
export interface Entered {
  readonly handshake: Handshake
  readonly page: PageSession
}

const stateSchema = z.object({
  colloquy: z.object({
    session: z.string(),
    sessionId: z.string().default(''),
    told: z.int().min(0).default(0),
  }),
})
const NOT_THERE = new Set([401, 404])

/**
 * Finds the session of a visitor's thread: in this process, or as the page's state brings it sealed; or makes one (UI2,
 * UI2).
 */
export function createThreads(
  { messaging }: Pick<Platform, 'messaging'>,
  settings: { readonly connectorToken: string; readonly host: string; readonly most: number },
) {
  const seal = createSeal(settings.connectorToken)
  const here = new Map<string, Promise<ThreadSession>>()

  async function start({ id, name, language }: AgUiVisitor): Promise<ThreadSession> {
    const { accessToken } = await messaging.issueAccessToken({
      connectorToken: settings.connectorToken,
      host: settings.host,
      // Rates are counted by visitor: all requests come from the host itself.
      remoteAddress: `ag-ui ${id}`,
    })
    const { sessionId } = await messaging.createSession({
      authorization: `Bearer ${accessToken}`,
      streaming: true,
      visitor: {
        id,
        ...(name === undefined ? {} : { name }),
        ...(language === undefined ? {} : { language }),
      },
    })
    return { sessionId, accessToken }
  }

  function keep(owner: string, session: Promise<ThreadSession>): Promise<ThreadSession> {
    here.delete(owner)
    here.set(owner, session)
    for (const oldest of here.keys()) if (here.size > settings.most) here.delete(oldest)
    session.catch(() => here.delete(owner))
    return session
  }

  /** Two runs at once are in one session: what is being made is waited for. */
  async function find(
    owner: string,
    visitor: AgUiVisitor,
    page: PageSession | undefined,
  ): Promise<ThreadSession> {
    const known = here.get(owner)
    if (known !== undefined) return keep(owner, known)
    const found = async () =>
      (page === undefined ? null : await seal.unseal(page.session, owner)) ?? (await start(visitor))
    return keep(owner, found())
  }

  return {
    async enter(visitor: AgUiVisitor, run: Run): Promise<Entered | HandshakeRefusal> {
      const owner = JSON.stringify([visitor.id, run.threadId])
      const kept = stateSchema.safeParse(run.state).data?.colloquy
      const attempt = async (session: ThreadSession): Promise<Entered | HandshakeRefusal> => {
        const { sessionId } = session
        // From the start: the page gets everything that it lacks, wherever it stopped reading.
        const answer = await messaging.handshake({ ...session, cursor: null })
        if ('status' in answer) return answer
        const told = kept?.sessionId === sessionId ? kept.told : 0
        return {
          handshake: answer,
          page: { session: await seal.seal(session, owner), sessionId, told },
        }
      }
      const first = await attempt(await find(owner, visitor, kept))
      // Over, or forgotten: the thread goes on in a new one.
      if (!('status' in first) || !NOT_THERE.has(first.status)) return first
      return attempt(await keep(owner, start(visitor)))
    },
  }
}
