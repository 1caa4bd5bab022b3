import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { type Clock, type ConversationId, type Platform, systemClock } from '@colloquy/core'
import { CLOSE_CODES } from '@colloquy/core/transport'
import { type Link, openLink } from './link.ts'
import { createScreen, type Screen } from './screen.ts'
import { type Seat, useSeat } from './seat.ts'
import { HELP, readTypedLine } from './typed-line.ts'
import { createVisitorClient } from './visitor-client.ts'

/** Connections and options of a terminal. */
export interface TerminalOptions {
  readonly platform: Pick<Platform, 'messaging' | 'settings' | 'idle'>
  /** @default the process's clock */
  readonly clock?: Clock
  readonly session: { readonly sessionId: ConversationId; readonly accessToken: string }
  readonly input: Readable
  readonly output: Writable
  /** Opens the seat of the live agent who answers. `tell` shows a line. */
  readonly openSeat: (tell: (line: string) => void) => Promise<Seat>
  /**
   * A person types: what was typed is on the screen already, and a line may be sent while the one before is being
   * answered. Without one, lines come from a file or a program, and each waits until all that came of the one before
   * was shown.
   */
  readonly interactive: boolean
}

/** Close codes after which there is no session to come back to. */
const FINAL_CODES: readonly number[] = [CLOSE_CODES.ended, CLOSE_CODES.session_unknown]

/**
 * Talks to a session until it has ended or the input has. Everything that was typed takes effect before it resolves.
 *
 * @throws Error when the session cannot be opened at all
 */
export async function runTerminal(options: TerminalOptions): Promise<void> {
  const { platform, input, output, interactive } = options
  const screen = createScreen(text => output.write(text))
  const lines = createInterface({ input })
  // Begun before anything is awaited: what was typed meanwhile would be lost.
  const typed = lines[Symbol.asyncIterator]()
  // The reader is gone, so the conversation is over.
  output.on('error', () => lines.close())
  const seat = await options.openSeat(screen.say)
  const visitor = createVisitor(options, screen, () => lines.close())
  // Twice: what a live agent did may have made the platform do something, and the other way round.
  const quiet = async (): Promise<void> => {
    for (let round = 0; round < 2; round++) {
      await visitor.settled()
      await platform.idle()
      await seat.settled()
    }
    await visitor.settled()
  }
  try {
    await visitor.connect()
    await visitor.send('EVENT_TYPE_REQUEST_AI_AGENT_JOIN')
    if (!interactive) await quiet()
    for await (const line of typed) {
      await carryOut(line, { visitor, screen, seat })
      if (!interactive) await quiet()
      if (visitor.over) break
    }
    await quiet()
  } finally {
    visitor.drop()
  }
}

/** Does what a typed line asks for. */
async function carryOut(
  line: string,
  parts: { readonly visitor: Visitor; readonly screen: Screen; readonly seat: Seat },
): Promise<void> {
  const { visitor, screen, seat } = parts
  const say = (text: string) => visitor.send('EVENT_TYPE_USER_MESSAGE', { text })
  const typed = readTypedLine(line)
  switch (typed.type) {
    case 'nothing':
      return
    case 'say':
      return say(typed.text)
    case 'suggestion': {
      const text = screen.suggestion(typed.number)
      if (text === null) return screen.say(`! There is no suggestion ${typed.number}.`)
      return say(text)
    }
    case 'drop':
      visitor.drop()
      return screen.say('* Connection dropped. What you say is sent when you /reconnect.')
    case 'reconnect':
      visitor.drop()
      return visitor.connect()
    case 'end':
      return visitor.send('EVENT_TYPE_USER_END_SESSION')
    case 'desk': {
      const answer = await useSeat(seat, typed.words)
      if (answer !== null) screen.say(answer)
      return
    }
    case 'help':
      return screen.say(HELP.join('\n'))
    case 'unknown':
      return screen.say(`! There is no /${typed.name}. /help shows what there is.`)
  }
}

/** The visitor's side: a client of the session and, most of the time, a link. */
interface Visitor {
  /** The session has ended. */
  readonly over: boolean
  connect(): Promise<void>
  /** Sends an event now, or as soon as there is a link again. */
  send(type: string, payload?: Readonly<Record<string, unknown>>): Promise<void>
  settled(): Promise<void>
  drop(): void
}

function createVisitor(options: TerminalOptions, screen: Screen, onOver: () => void): Visitor {
  const { platform, session, output, interactive, clock = systemClock } = options
  const client = createVisitorClient(platform.settings.brand.events)
  let link: Link | null = null
  let over = false
  let stopHeartbeat = (): void => {}

  const onFrame = (frame: string): void => {
    for (const event of client.take(frame)) {
      const typed = interactive && event.own && event.type === 'EVENT_TYPE_USER_MESSAGE'
      if (!typed) screen.show(event)
    }
  }

  const onClosed = (code: number, reason: string): void => {
    link = null
    stopHeartbeat()
    if (FINAL_CODES.includes(code)) {
      over = true
      onOver()
    } else screen.say(`* Connection closed: ${code} ${reason}. /reconnect goes on.`)
  }

  /** Silence would end the session. */
  function beat(): void {
    const { settings } = platform
    stopHeartbeat = clock.schedule(settings.heartbeatSeconds * 1_000, () => {
      link
        ?.send('{"type":"EVENT_TYPE_HEARTBEAT","payload":{}}')
        .then(beat, error => settings.onError(error, 'terminal'))
    })
  }

  return {
    get over() {
      return over
    },
    async connect() {
      if (over) return
      if (client.cursor > 0) screen.say(`* Connecting again, after event ${client.cursor}.`)
      const target = { ...session, cursor: client.cursor }
      const opened = await openLink(platform.messaging, target, output, { onFrame, onClosed })
      if ('status' in opened) throw new Error(`The session cannot be opened: ${opened.message}`)
      link = opened
      beat()
      await link.settled()
      for (const frame of client.unconfirmed) await link?.send(frame)
    },
    async send(type, payload) {
      const frame = client.compose(type, payload)
      await link?.send(frame)
    },
    settled: async () => link?.settled(),
    drop() {
      stopHeartbeat()
      link?.drop()
      link = null
    },
  }
}
