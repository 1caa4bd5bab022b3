import * as z from 'zod'

/** The codes of errors (PROTOCOL.md, WebRTC). */
export const SIGNAL_CODES = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'INVALID_ARGUMENT',
  'INVALID_MESSAGE',
  'HANDLER_ERROR',
  'MEDIA_BRIDGE_FAILURE',
  'AGENT_FAILURE',
] as const
export type SignalCode = (typeof SIGNAL_CODES)[number]

/** A problem that the client is told of. */
export interface SignalProblem {
  readonly code: SignalCode
  readonly message: string
}

/** Sizes of what clients say, characters. */
const SIGNAL_SIZES = { sdp: 32_768, candidate: 1_024, id: 128, token: 4_096 } as const

/** The ways in which a call is answered. */
export type CallMode = 'end-to-end' | 'traditional' | 'echo'

/** The modes by every name that clients know. */
const MODES: Readonly<Record<string, CallMode>> = {
  ...{ 'end-to-end': 'end-to-end', agent: 'end-to-end', agent_v2: 'end-to-end', realtime: 'end-to-end' },
  ...{ traditional: 'traditional', agent_v1: 'traditional', cascaded: 'traditional', normal: 'traditional' },
  echo: 'echo',
}

const id = z.string().max(SIGNAL_SIZES.id)
const optional = id.nullish()

const offerSchema = z.object({
  type: z.literal('offer'),
  sessionId: id.nullish(),
  data: z.object({ type: z.literal('offer'), sdp: z.string().min(1).max(SIGNAL_SIZES.sdp) }),
  authToken: z.string().max(SIGNAL_SIZES.token),
  mode: z
    .string()
    .refine(mode => Object.hasOwn(MODES, mode), `allowed are ${Object.keys(MODES).join(', ')}`)
    .nullish()
    .transform(mode => MODES[mode ?? 'end-to-end'] ?? 'end-to-end'),
  ...{ callSid: optional, caller: optional, callee: optional },
  ...{ accountId: optional, projectId: optional, variantId: optional },
  agentVersionOverride: z.object({ artifactVersion: id, lambdaDeploymentVersion: id }).nullish(),
})

const candidateSchema = z.object({
  type: z.literal('ice-candidate'),
  sessionId: id.nullish(),
  data: z.object({
    candidate: z.string().max(SIGNAL_SIZES.candidate),
    sdpMid: z.string().max(64).nullish(),
    sdpMLineIndex: z.int().min(0).max(255).nullish(),
  }),
})

const closeSchema = z.object({ type: z.literal('close'), sessionId: id.nullish() })

const SCHEMAS = { offer: offerSchema, 'ice-candidate': candidateSchema, close: closeSchema } as const

/** A frame of the client. */
export type ClientSignal =
  | z.output<typeof offerSchema>
  | z.output<typeof candidateSchema>
  | z.output<typeof closeSchema>

/** An offer, checked. */
export type Offer = z.output<typeof offerSchema>

/** A candidate of the server, as it goes to the client. */
export interface LocalCandidate {
  readonly candidate: string
  readonly sdpMid: string
  readonly sdpMLineIndex: number
}

/** A frame of the server. */
export type ServerSignal = { readonly sessionId: string } & (
  | { readonly type: 'answer'; readonly data: { readonly type: 'answer'; readonly sdp: string } }
  | { readonly type: 'ice-candidate'; readonly data: LocalCandidate }
  | { readonly type: 'error'; readonly data: SignalProblem }
)

const invalidMessage = (message: string): { readonly problem: SignalProblem } => ({
  problem: { code: 'INVALID_MESSAGE', message },
})

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSignalType = (type: unknown): type is keyof typeof SCHEMAS =>
  typeof type === 'string' && Object.hasOwn(SCHEMAS, type)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Returns the frame, or what the client is told instead. Never throws; fields that are not listed are ignored. */
export function readSignal(text: string): ClientSignal | { readonly problem: SignalProblem } {
  const json = parsed(text)
  if (!isFields(json)) return invalidMessage('A frame must be a JSON object with a type.')
  const { authToken, type } = json
  if (!isSignalType(type))
    return invalidMessage(`The field type must be one of ${Object.keys(SCHEMAS).join(', ')}.`)
  if (type === 'offer' && (authToken === undefined || authToken === null || authToken === ''))
    return { problem: { code: 'UNAUTHORIZED', message: 'Auth token required' } }
  const read = SCHEMAS[type].safeParse(json)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const field = issue?.path.join('.') || 'frame'
  const message = `The field ${field} does not fit: ${issue?.message ?? 'unknown'}.`.slice(0, 500)
  return { problem: { code: 'INVALID_ARGUMENT', message } }
}
