import type { Platform } from '@colloquy/core'
import type { Handshake, HandshakeRefusal } from '@colloquy/core/transport'
import * as z from 'zod'
import type { AgUiVisitor } from './handler.ts'
import type { Run } from './run-input.ts'
import { createSeal, type ThreadSession } from './seal.ts'

/** A session that a run may connect to. */
export interface Entered {
  readonly handshake: Handshake
  readonly sealed: string
}

const stateSchema = z.object({ colloquy: z.object({ session: z.string() }) })
const NOT_THERE = new Set([401, 404])

/**
 * Finds the session of a visitor's thread: in this process, or as the page's state brings it sealed; or makes one (UI5,
 * UI6).
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
  async function find(owner: string, visitor: AgUiVisitor, { state }: Run): Promise<ThreadSession> {
    const known = here.get(owner)
    if (known !== undefined) return keep(owner, known)
    const { data } = stateSchema.safeParse(state)
    const found = async () =>
      (data === undefined ? null : await seal.unseal(data.colloquy.session, owner)) ?? (await start(visitor))
    return keep(owner, found())
  }

  return {
    async enter(visitor: AgUiVisitor, run: Run): Promise<Entered | HandshakeRefusal> {
      const owner = JSON.stringify([visitor.id, run.threadId])
      const attempt = async (session: ThreadSession): Promise<Entered | HandshakeRefusal> => {
        // From the start: what the page lacks is told, wherever it stopped reading.
        const answer = await messaging.handshake({ ...session, cursor: null })
        return 'status' in answer ? answer : { handshake: answer, sealed: await seal.seal(session, owner) }
      }
      const first = await attempt(await find(owner, visitor, run))
      // Over, or forgotten: the thread goes on in a new one.
      if (!('status' in first) || !NOT_THERE.has(first.status)) return first
      return attempt(await keep(owner, start(visitor)))
    },
  }
}
