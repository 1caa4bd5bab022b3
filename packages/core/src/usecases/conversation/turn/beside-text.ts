import type {
  WireAttachment,
  WireCallAction,
  WireSuggestion,
} from '../../../domain/conversation/event-payloads.ts'
import {
  attachmentSchema,
  callActionSchema,
  suggestionSchema,
} from '../../../domain/conversation/runtime-part.ts'
import { parse } from '../../../domain/parse.ts'
import type { Attachment, CallAction, RuntimePart } from '../../../ports/agent-runtime.ts'

/** Returns a card as clients get it. @throws SCHEMA_VALIDATION_FAILED */
export function attachmentOnWire(attachment: Attachment): WireAttachment {
  const { title, contentType, contentUrl, previewImageUrl, callToActionText } = parse(
    attachmentSchema,
    attachment,
    "attachment's field",
  )
  return {
    title,
    content_type: contentType === 'image' ? 'ATTACHMENT_CONTENT_TYPE_IMAGE' : 'ATTACHMENT_CONTENT_TYPE_URL',
    content_url: contentUrl,
    preview_image_url: previewImageUrl,
    call_to_action_text: callToActionText,
  }
}

/** Returns a number to call as clients get it. @throws SCHEMA_VALIDATION_FAILED */
export function callActionOnWire(action: CallAction): WireCallAction {
  const { title, contactNumber } = parse(callActionSchema, action, "call action's field")
  return { title, contact_number: contactNumber }
}

/** Returns an answer to tap as clients get it. @throws SCHEMA_VALIDATION_FAILED */
export function suggestionOnWire(part: Extract<RuntimePart, { type: 'suggestion' }>): WireSuggestion {
  const { text, payload } = parse(suggestionSchema, part, "suggestion's field")
  return { message_text: text, ...(payload === undefined ? {} : { payload }) }
}
