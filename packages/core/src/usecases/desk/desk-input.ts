import * as z from 'zod'
import { properNameSchema } from '../../domain/agent/proper-name.ts'
import { deskServiceSchema } from '../../domain/conversation/desk-service.ts'
import { pictureOrNoneSchema, webAddressSchema } from '../../domain/web-address.ts'

/** The host's own id of a live agent. */
export const liveAgentIdSchema = z.string().min(1).max(200)

/** Whether a live agent types. */
export const typingState = ['state', z.enum(['started', 'stopped'])] as const

/** A human who answers, as visitors see them. */
export const liveAgentSchema = z.object({
  id: liveAgentIdSchema,
  name: properNameSchema(200),
  avatarUrl: pictureOrNoneSchema,
})

/**
 * The attachments that a live agent may send along with a text, in the words of the wire (contract/messaging.md,
 * Events).
 */
const attachmentSchema = z.lazy(() => {
  const address = webAddressSchema.max(2_000)
  return z.object({
    title: z.string().max(500).default(''),
    content_type: z
      .enum(['ATTACHMENT_CONTENT_TYPE_URL', 'ATTACHMENT_CONTENT_TYPE_IMAGE'])
      .default('ATTACHMENT_CONTENT_TYPE_URL'),
    content_url: address,
    preview_image_url: address.or(z.literal('')).default(''),
    call_to_action_text: z.string().max(500).default(''),
  })
})

/** The attachments of one message. */
export const attachmentsSchema = z.array(attachmentSchema).max(20)

/** Numbers that a live agent offers to call, in the words of the wire (MS36). */
export const callActionsSchema = z.lazy(() =>
  z
    .array(z.object({ title: z.string().min(1).max(500), contact_number: z.string().min(1).max(100) }))
    .max(20),
)

/** Answers that a live agent suggests, in the words of the wire (MS36). */
export const suggestionsSchema = z.lazy(() =>
  z
    .array(
      z.object({
        message_text: z.string().min(1).max(1_000),
        payload: z.string().max(4_000).exactOptional(),
      }),
    )
    .max(20),
)

/** A live agent's own id of a message: it takes effect once (DK19). */
export const messageIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,128}$/, 'expected 1 to 128 letters, digits, ".", "_", ":" or "-"')

/** Ids of files that a message names. */
export const fileIdsSchema = z.array(z.string().min(1).max(64)).max(20)

/** Returns the fields of a message, from any live-agent system. */
const contentOf = (textLength: number) => ({
  text: z.string().max(textLength),
  attachments: attachmentsSchema.default([]),
  chatCallActions: callActionsSchema.default([]),
  responseSuggestions: suggestionsSchema.default([]),
})

interface Content {
  readonly text: string
  readonly attachments: object[]
  readonly chatCallActions: object[]
  readonly fileIds?: string[]
}

const saysSomething = ({ text, attachments, chatCallActions, fileIds = [] }: Content) =>
  text !== '' || attachments.length + chatCallActions.length + fileIds.length > 0

/** Returns a message as the machine takes it. */
const forMachine = <Chat, Suggestions, Rest extends object>({
  chatCallActions: callActions,
  responseSuggestions: suggestions,
  ...rest
}: Rest & { readonly chatCallActions: Chat; readonly responseSuggestions: Suggestions }) => ({
  ...rest,
  callActions,
  suggestions,
})

const SAYS_NOTHING = 'expected a text, attachments, call actions, files, or several of them'

/**
 * Returns a live agent's message.
 *
 * @param textLength characters
 */
export const messageSchema = (textLength: number) =>
  z
    .object({
      ...contentOf(textLength),
      fileIds: fileIdsSchema.default([]),
      messageId: messageIdSchema.exactOptional(),
    })
    .refine(saysSomething, SAYS_NOTHING)
    .transform(forMachine)

/**
 * Returns a message that another live-agent system reports, under an id of that system's making.
 *
 * @param textLength characters
 */
export const reportedMessageSchema = (textLength: number) =>
  z
    .object({ ...contentOf(textLength), messageId: z.string().min(1).max(200) })
    .refine(saysSomething, SAYS_NOTHING)
    .transform(forMachine)

/** The live agent who watches the desk, with the visitors whom they take. */
export const watcherSchema = deskServiceSchema.extend({
  liveAgentId: liveAgentIdSchema.nullable().exactOptional(),
  name: liveAgentSchema.shape.name.exactOptional(),
  avatarUrl: liveAgentSchema.shape.avatarUrl.exactOptional(),
})

const wholeOrUnknown = z.int().min(0).nullable()

/** Text for a visitor beside the position; null for no text. */
export const displayMessageSchema = z.string().min(1).max(1_000).nullable()

/** A visitor's position in the waiting line of another live-agent system. */
export const queueStatusSchema = z.object({
  position: wholeOrUnknown,
  estimatedWaitSeconds: wholeOrUnknown,
  displayMessage: displayMessageSchema.default(null),
})
