import type { z } from 'zod'
import { EVENT_PAYLOADS } from '../../packages/core/src/domain/conversation/event-payloads.ts'
import { CLIENT_PAYLOADS } from '../../packages/core/src/protocol/client-frame.ts'
import { CLOSE_CODES, CLOSE_TEXTS } from '../../packages/core/src/protocol/close-codes.ts'
import {
  CLIENT_EVENT_TYPES,
  createEventNames,
  EVENT_TYPES,
  isUnsaid,
} from '../../packages/core/src/protocol/event-names.ts'
import { DEFAULT_BRAND } from '../../packages/core/src/settings/brand.ts'
import { CLOSES, MEANS, SAYS } from './event-meanings.ts'
import { schemaFields } from './schema-fields.ts'
import { MADE, table } from './table.ts'
import { wireExamples } from './wire-examples.ts'

/** Writes a frame with its ids renumbered, so that the page does not depend on how many ids were drawn before. */
function json(frame: object): string {
  const ids = new Map<string, string>()
  const counted = JSON.stringify(frame, null, 2).replace(
    /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
    id => {
      const known = ids.get(id) ?? `00000000-0000-4000-8000-${String(ids.size + 1).padStart(12, '0')}`
      ids.set(id, known)
      return known
    },
  )
  return `\`\`\`json\n${counted}\n\`\`\`\n`
}

interface Frame {
  readonly type: string
  readonly payload: object
}

const length = (frame: Frame): number => JSON.stringify(frame).length

/**
 * The longest example of an event; of chunks one that is not complete and one that is.
 * @throws Error where the conversations have none
 */
function examplesOf(frames: readonly Frame[], name: string): string {
  const all = frames.filter(({ type }) => type === name)
  const complete = (frame: Frame): unknown => Reflect.get(frame.payload, 'is_complete')
  const kinds = [...new Set(all.map(complete))].map(kind => all.filter(frame => complete(frame) === kind))
  if (kinds.length === 0) throw new Error(`No conversation of the examples has the event ${name}.`)
  const longest = kinds.flatMap(kind =>
    [...kind].sort((one, other) => length(other) - length(one)).slice(0, 1),
  )
  return longest.map(json).join('\n')
}

/** The fields of a payload, from its schema. */
const fieldsOf = (payload: z.ZodType): string =>
  table(
    ['Field of the payload', 'Always', 'What'],
    schemaFields(payload).map(({ name, required, allowed }) => [
      ...[`\`${name}\``, required ? 'yes' : '', allowed],
    ]),
  )

/** An event with what it is for, its fields and an example. */
const section = (title: string, means: string, payload: z.ZodType | null, examples: string): string =>
  [`### ${title}`, means, payload === null ? '' : fieldsOf(payload).trimEnd(), examples]
    .filter(part => part !== '')
    .join('\n\n')

/** The reference page about what goes over the socket of messaging. */
export async function wireEventsPage(): Promise<string> {
  const { sent, received } = await wireExamples()
  const names = createEventNames(DEFAULT_BRAND)
  const fromClient = CLIENT_EVENT_TYPES.map(type => {
    const name = names.wire(type)
    return section(name, MEANS[type], CLIENT_PAYLOADS[type], examplesOf(sent, name))
  })
  const fromServer = EVENT_TYPES.flatMap(type => {
    const says = SAYS[type]
    const name = names.wire(type)
    const payload = type === 'EVENT_BATCH' || isUnsaid(type) ? null : EVENT_PAYLOADS[type]
    return says === null ? [] : [section(`${name} (server)`, says, payload, examplesOf(received, name))]
  })
  const codes: Readonly<Record<string, number>> = CLOSE_CODES
  const texts: Readonly<Record<string, string>> = CLOSE_TEXTS
  const closes = Object.entries(CLOSES).map(([reason, when]) => [
    String(codes[reason]),
    `\`${texts[reason]}\``,
    when,
  ])
  return [
    `# Wire events

${MADE}

Everything that goes over the socket of messaging, with the fields of its payload and an example of each. Fields may be added, so clients ignore those that they do not know. The frames are those of conversations that a platform had while this page was made; its clock stands still between them, and ids are
counted from the start in each frame. The contract's page about [messaging](../contract/messaging.md) explains the fields, storage, replay and responses. \`AI\` in the names is the word of the setting \`brand\`.
`,
    '## From the client\n',
    ...fromClient,
    '## From the server\n\nEvents whose `sequence` is null are not kept.\n',
    ...fromServer,
    `## Close codes\n\n${table(['Code', 'Text', 'When'], closes)}`,
  ].join('\n')
}
