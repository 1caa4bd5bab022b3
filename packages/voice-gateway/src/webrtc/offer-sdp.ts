/** The most sections that an offer may have. */
const MOST_SECTIONS = 8

/** The most lines that an offer may have. */
const MOST_LINES = 1_000

/** A section of a session description: its `m=` line, and those below. */
type Section = readonly string[]

const isAudio = ([head = '']: Section): boolean =>
  /^m=audio [1-9]\d{0,4}(?:\/\d+)? UDP\/TLS\/RTP\/SAVPF?(?: \d{1,3})+$/.test(head)

const hasOpus = (section: Section): boolean =>
  section.some(line => /^a=rtpmap:\d{1,3} opus\/48000\/2$/i.test(line))

const hasKeys = (lines: readonly string[]): boolean =>
  ['a=ice-ufrag:', 'a=ice-pwd:', 'a=fingerprint:'].every(name => lines.some(line => line.startsWith(name)))

/** A section that is offered, and not taken. */
const declined = ([head = '', ...rest]: Section): Section => [head.replace(/^(m=\S+) \S+/, '$1 0'), ...rest]

/**
 * Returns the offer as it is answered: its first audio section alone, and none of the client's candidates. The server
 * waits for the client's checks, so no client can send it to other addresses (VG66). Returns what is wrong with an
 * offer that cannot be answered.
 */
export function readOffer(sdp: string): { readonly sdp: string } | { readonly problem: string } {
  const lines = sdp.split(/\r\n|\n|\r/).filter(line => line !== '')
  if (lines[0] !== 'v=0' || lines.length > MOST_LINES)
    return { problem: 'The field data.sdp must be a session description that begins with v=0.' }
  const starts = lines.flatMap((line, at) => (line.startsWith('m=') ? [at] : []))
  if (starts.length > MOST_SECTIONS)
    return { problem: `The field data.sdp must have at most ${MOST_SECTIONS} sections.` }
  const head = lines.slice(0, starts[0] ?? lines.length)
  const sections = starts.map((start, at): Section => lines.slice(start, starts[at + 1]))
  const audio = sections.find(isAudio)
  if (audio === undefined) return { problem: 'The field data.sdp must offer audio.' }
  if (!hasOpus(audio)) return { problem: 'The field data.sdp must offer audio with opus/48000/2.' }
  if (!hasKeys([...head, ...audio]))
    return { problem: 'The field data.sdp must have ice-ufrag, ice-pwd and fingerprint.' }
  const answered = [head, ...sections.map(section => (section === audio ? section : declined(section)))]
    .flat()
    .filter(line => !/^a=(?:candidate|end-of-candidates)/.test(line))
  return { sdp: `${answered.join('\r\n')}\r\n` }
}

const HOST_CANDIDATE = /^((?:a=)?candidate:\S+ \d+ \S+ \d+) (\S+) (\d+ typ host)/

/**
 * Returns a candidate or a description with the address at which clients reach the server, where that is another one
 * than its own. Null changes nothing.
 */
export const announced = (text: string, address: string | null): string =>
  address === null
    ? text
    : text
        .split('\r\n')
        .map(line => line.replace(HOST_CANDIDATE, `$1 ${address} $3`))
        .join('\r\n')
