import * as z from 'zod'
import { properLabelSchema, properNameSchema } from '../agent/proper-name.ts'
import { ENVIRONMENTS } from '../environment.ts'
import { parseIsoTime } from '../time.ts'
import { normalizeHost } from './host-match.ts'
import { isLiveAgentPermission, KEY_PERMISSIONS } from './permissions.ts'
import { MIN_SECRET_LENGTH } from './secret.ts'

/** Hosts that one connector may have. */
const MAX_HOSTS = 100

const pattern = (expression: RegExp, allowed: string) => z.string().regex(expression, `expected ${allowed}`)

/** `ws-<id>`. */
export const accountIdSchema = pattern(
  /^ws-[A-Za-z0-9_-]{1,64}$/,
  'ws- followed by 1 to 64 letters, digits, - or _',
)
/** Words with which paths of the Agents API begin: `/v1/agents/…` names no account (AC8). */
const RESERVED_SLUGS: readonly string[] = ['agents', 'accounts']

/** Reports whether the word can be no account's slug. */
export const isReservedSlug = (slug: string): boolean => RESERVED_SLUGS.includes(slug)

/** The account's name in addresses. */
export const slugSchema = pattern(
  /^[a-z0-9][a-z0-9-]{0,62}$/,
  '1 to 63 lower-case letters, digits or hyphens, beginning with a letter or digit',
).refine(
  slug => !isReservedSlug(slug),
  `expected another word than ${RESERVED_SLUGS.join(' and ')}, with which paths of the Agents API begin`,
)
/** A name for people. */
export const nameSchema = properNameSchema(100)
/** A name for people that may be left empty. */
export const labelSchema = properLabelSchema(100)
/** A key of one of the host maps in `Settings.hosts`. */
export const regionSchema = pattern(/^[A-Za-z0-9_-]{1,32}$/, '1 to 32 letters, digits, - or _')
/** A secret that a host brings: a header carries it, so visible ASCII. */
export const secretSchema = pattern(
  /^[\x21-\x7e]{16,512}$/,
  `${MIN_SECRET_LENGTH} to 512 visible ASCII characters without spaces`,
)
/** Permits a desk key to act as one live agent, whose id of 1 to 200 characters is behind the colon (DK40). */
export const liveAgentPermissionSchema = z.string().max(211).refine(isLiveAgentPermission)

/**
 * The permissions of a key; see `KEY_PERMISSIONS`. A desk key may name the live agents that it acts as: at most 100.
 */
export const permissionsSchema = z
  .array(z.union([z.enum(Object.values(KEY_PERMISSIONS).flat()), liveAgentPermissionSchema]))
  .max(101)

/** The last possible moment, in milliseconds since the epoch. */
const LAST_MOMENT = 8_640_000_000_000_000

/** The expiry of a credential, in milliseconds since the epoch. The use case checks that it is in the future. */
export const expirySchema = z.int().min(0).max(LAST_MOMENT)

/** The same on the wire: ISO 8601. */
export const expiryOnWireSchema = z
  .string()
  .meta({ format: 'date-time' })
  .transform((given, context) => {
    const at = parseIsoTime(given)
    if (at !== null) return at
    context.addIssue({
      code: 'custom',
      message: 'expected an ISO 8601 time, for example 2027-03-01T09:30:00Z',
    })
    return z.NEVER
  })

const hostSchema = z.string().transform((given, context) => {
  const host = normalizeHost(given)
  if (host !== null) return host
  context.addIssue({ code: 'custom', message: 'expected a domain, an origin or an app namespace' })
  return z.NEVER
})

/** A connector's changeable part as it is given; hosts come out normalised and each once. */
export const connectorChangeSchema = z.object({
  environment: z.enum(ENVIRONMENTS).exactOptional(),
  hosts: z
    .array(hostSchema)
    .max(MAX_HOSTS)
    .transform(hosts => [...new Set(hosts)])
    .exactOptional(),
  /** A variant of what is active in the environment, if anything is (AC16). @default the content's default variant */
  variantId: z.string().min(1).max(200).nullable().exactOptional(),
  name: labelSchema.exactOptional(),
  /** Milliseconds since the epoch, in the future. Null: it never expires (CR1). */
  expiresAt: expirySchema.nullable().exactOptional(),
  handoff: z
    .object({
      mode: z.enum(['server', 'client']).exactOptional(),
      queueName: z.string().max(100).exactOptional(),
      timeoutSeconds: z.int().min(1).max(86_400).exactOptional(),
    })
    .exactOptional(),
})

/** A language as telephony connectors have it, for example `en-GB`. */
export const languageSchema = z.string().min(2).max(35)

/** The changeable part of a telephony connector as it is given. */
export const telephonyConnectorChangeSchema = z.object({
  /** A variant of what is active in the environment, if anything is; null for the default one (AC16). */
  variantId: z.string().min(1).max(200).nullable().exactOptional(),
  asrLangCode: languageSchema.exactOptional(),
  /**
   * A voice of the account's library by its id, its name or the provider's id, whose language becomes `ttsLangCode`.
   * Without `speechProvider` it is kept as it is given (VL11).
   */
  voiceName: z.string().max(200).exactOptional(),
})

/** A new telephony connector without its owner. */
export const newTelephonyConnectorSchema = telephonyConnectorChangeSchema.extend({
  environment: z.enum(ENVIRONMENTS),
  name: labelSchema,
  /** @default the voice's, else `asrLangCode` */
  ttsLangCode: languageSchema.exactOptional(),
  /** @default false */
  disableHandoff: z.boolean().exactOptional(),
})

/** The changeable part of a new connector. */
export const newConnectorSchema = connectorChangeSchema.required({ environment: true, hosts: true })
