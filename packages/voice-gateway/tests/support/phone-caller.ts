import { signatureOf } from '@colloquy/integrations/twilio'
import { createSignal } from '@colloquy/test-support/signal'
import { TOKEN, URL_OF_STREAM, URL_OF_TWILIO } from './phone-calls.ts'
import { dial } from './phone-host.ts'
import { msOf, sentencesIn } from './phone-sentences.ts'

type Stream = Awaited<ReturnType<typeof dial>>

/** A verb of TwiML that was carried out. */
interface Verb {
  readonly name: string
  readonly text: string
  readonly attributes: Readonly<Record<string, string>>
}

const plain = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

const attributesOf = (text: string): Verb['attributes'] =>
  Object.fromEntries(
    [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, plain(value)]),
  )

/** The verbs of a document, as Twilio carries them out: from above. */
function verbsOf(document: string): readonly Verb[] {
  const [, inside = ''] = /<Response>(.*)<\/Response>/s.exec(document) ?? []
  const verbs = inside.matchAll(/<(\w+)([^>]*?)(?:\/>|>(.*?)<\/\1>)/gs)
  return [...verbs].map(([, name = '', attributes = '', text = '']) => ({
    ...{ name, text: plain(text), attributes: attributesOf(attributes) },
  }))
}

/** Posts a request about a call, signed as Twilio does. */
export async function askTwiml(
  port: number,
  address: string,
  form: Readonly<Record<string, string>>,
  signature?: string,
): Promise<{ readonly status: number; readonly twiml: string }> {
  const body = new URLSearchParams(form)
  const { pathname, search } = new URL(address)
  const answer = await fetch(`http://127.0.0.1:${port}${pathname}${search}`, {
    method: 'POST',
    headers: { 'x-twilio-signature': signature ?? signatureOf(TOKEN, address, body) },
    body,
  })
  return { status: answer.status, twiml: await answer.text() }
}

/** The filtered edges of a sentence, at most. */
const EDGES_MS = 8

const FIRST = `${URL_OF_TWILIO}/voice`

/**
 * A call as Twilio carries it out: it asks for TwiML and follows it verb by verb, over stream after stream. Pauses take
 * no time. The caller's player plays when it is told to.
 *
 * @param reach the port of the server that requests and streams reach now
 * @param reachStream that of streams, if they take another way
 */
export function callTwilio(reach: () => number, callSid = `CA${'1'.repeat(32)}`, reachStream = reach) {
  const signal = createSignal()
  const verbs: string[] = []
  const streams: Stream[] = []
  let isOver = false
  let hasHungUp = false
  let isAnswered = false
  let back = Promise.resolve()
  const form = { CallSid: callSid, From: '+442079460018', To: '+442079460019' }

  async function connect(text: string): Promise<void> {
    const [, attributes = ''] = /<Stream([^>]*)>/.exec(text) ?? []
    if (attributesOf(attributes).url !== URL_OF_STREAM) throw new Error('The stream goes to another address.')
    const parameters = [...text.matchAll(/<Parameter([^>]*)\/>/g)].map(([, one = '']) => attributesOf(one))
    const stream = await dial(reachStream(), undefined, signal).catch(() => null)
    if (stream === null || stream.status !== null) return
    const customParameters = Object.fromEntries(parameters.map(({ name = '', value = '' }) => [name, value]))
    stream.begin({ callSid, customParameters })
    streams.push(stream)
    signal.changed()
    await signal.until(() => stream.closed() !== null)
  }

  async function follow(): Promise<void> {
    for (let address: string | null = FIRST; address !== null && !hasHungUp; ) {
      await back
      const CallStatus = isAnswered ? 'in-progress' : 'ringing'
      const { status, twiml } = await askTwiml(reach(), address, { ...form, CallStatus })
      if (status !== 200) throw new Error(`Twilio was answered ${status}.`)
      address = null
      for (const { attributes, name, text } of verbsOf(twiml)) {
        const { length, reason } = attributes
        verbs.push([name, length, reason, name === 'Dial' ? text : undefined].filter(Boolean).join(' '))
        isAnswered ||= name !== 'Reject'
        signal.changed()
        if (name === 'Connect') await connect(text)
        if (name === 'Redirect') address = text
        if (hasHungUp) break
      }
    }
  }

  const over = follow().finally(() => {
    isOver = true
    signal.changed()
  })
  over.catch(() => {})
  const stream = (): Stream => {
    const newest = streams.at(-1)
    if (newest === undefined) throw new Error('There is no stream.')
    return newest
  }
  const caller = {
    /** The verbs so far, with their lengths, reasons and numbers. */
    verbs,
    streams,
    stream,
    over,
    isOver: () => isOver,
    until: (holds: () => boolean) => signal.until(holds),
    /** Resolves when so many streams were opened, and the newest one is open. */
    connected: (count: number) => signal.until(() => streams.length >= count),
    /** What the caller has heard, over all streams. */
    heard: () => streams.flatMap(one => [...sentencesIn(one.heard())]),
    /** Milliseconds of a sentence that the caller has heard, over all streams. */
    msHeard: (sentence: string): number =>
      caller
        .heard()
        .filter(({ text }) => text === sentence)
        .reduce((sum, { ms }) => sum + ms, 0),
    /** Plays what comes until the caller has heard a sentence to the mark at its end, so many times, and no more. */
    hear(sentence: string, times = 1): Promise<void> {
      const hasHeard = (): boolean => caller.msHeard(sentence) >= times * (msOf(sentence) - EDGES_MS)
      if (hasHeard()) return Promise.resolve()
      return signal.until(() => {
        const stream = caller.stream()
        while (stream.queue.length > 0 && !(hasHeard() && stream.isAtMark())) stream.playToMark()
        return hasHeard() && stream.isAtMark()
      })
    },
    /** Returns the marks whose sound was played. */
    playMarks: () => caller.stream().playMarks(),
    /** Returns, from now on, each mark as soon as its sound was played. */
    keepsMarks(): void {
      void signal.until(() => {
        caller.playMarks()
        return caller.isOver()
      })
    },
    say({ level }: { readonly level: number }): void {
      caller.stream().sound(600, level)
      caller.stream().sound(600, 0)
    },
    /** Loses the stream. Twilio comes back when it is told to. */
    lose(): () => void {
      let comeBack = (): void => {}
      back = new Promise(resolve => {
        comeBack = resolve
      })
      caller.stream().lose()
      return comeBack
    },
    hangUp(): void {
      hasHungUp = true
      caller.stream().hangUp()
    },
  }
  return caller
}
