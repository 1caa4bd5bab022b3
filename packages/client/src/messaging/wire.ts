// Made from packages/core/asyncapi.json by `npm run document`.

/** `Attachment`, as it goes over the wire. */
export type Attachment = {
  readonly title: string
  readonly content_type: 'ATTACHMENT_CONTENT_TYPE_URL' | 'ATTACHMENT_CONTENT_TYPE_IMAGE'
  readonly content_url: string
  readonly preview_image_url: string
  readonly call_to_action_text: string
}

/** `ChatCallAction`, as it goes over the wire. */
export type ChatCallAction = {
  readonly title: string
  readonly contact_number: string
}

/** `ResponseSuggestion`, as it goes over the wire. */
export type ResponseSuggestion = {
  readonly message_text: string
  readonly payload?: string
}

/** `SentFile`, as it goes over the wire. */
export type SentFile = {
  readonly file_id: string
  readonly name: string
  readonly content_type: string
  readonly size: number
}

/** Payloads of a server's events, by their names without `EVENT_TYPE_`. `AI` stands for the brand's word. */
export type ServerPayloads = {
  readonly AI_AGENT_JOINED: {
    readonly agent_name: string
    readonly agent_avatar_url: string
    readonly avatar: string
  }
  readonly AI_AGENT_LEFT: object
  readonly AI_AGENT_MESSAGE: {
    readonly message_id: string
    readonly text: string
    readonly attachments: readonly Attachment[]
    readonly response_suggestions: readonly ResponseSuggestion[]
    readonly chat_call_actions?: readonly ChatCallAction[]
    readonly agent_name?: string
    readonly avatar_url?: string
    readonly end_conversation?: true
  }
  readonly AI_AGENT_MESSAGE_CHUNK: {
    readonly message_id: string
    readonly text: string
    readonly attachments: readonly Attachment[]
    readonly response_suggestions: readonly ResponseSuggestion[]
    readonly chat_call_actions?: readonly ChatCallAction[]
    readonly chunk_index: number
    readonly is_complete: boolean
    readonly end_conversation?: true
  }
  readonly AI_AGENT_THINKING: object
  readonly AI_AGENT_TRIGGERED_HANDOFF: object
  readonly CLIENT_HANDOFF_REQUIRED: {
    readonly reason: 'AGENT_DECISION'
    readonly queue_name: string
    readonly route?: string
  }
  readonly HANDOFF_ACCEPTED: {
    readonly queue_name: string
  }
  readonly HANDOFF_FAILED: {
    readonly reason?: string
  }
  readonly HANDOFF_QUEUE_STATUS: {
    readonly queue_name: string
    readonly position_in_queue?: number
    readonly estimated_wait_seconds?: number
    readonly display_message?: string
  }
  readonly HANDOFF_TIMEOUT: object
  readonly HEARTBEAT: { readonly [name: string]: string | number | boolean | null }
  readonly LANGUAGE_CHANGED: {
    readonly language_code: string
  }
  readonly LIVE_AGENT_JOINED: {
    readonly agent: {
      readonly id: string
      readonly name: string
      readonly avatar_url: string
    }
  }
  readonly LIVE_AGENT_LEFT: {
    readonly reason?: string
  }
  readonly LIVE_AGENT_MESSAGE: {
    readonly message_id: string
    readonly text: string
    readonly attachments: readonly Attachment[]
    readonly response_suggestions: readonly ResponseSuggestion[]
    readonly chat_call_actions?: readonly ChatCallAction[]
    readonly agent_id: string
    readonly agent_name?: string
    readonly avatar_url?: string
    readonly files?: readonly SentFile[]
  }
  readonly LIVE_AGENT_TYPING: {
    readonly state: 'TYPING_STATE_STARTED' | 'TYPING_STATE_STOPPED'
    readonly agent_id: string
  }
  readonly REQUEST_AI_AGENT_JOIN: object
  readonly SESSION_END: {
    readonly reason: 'REASON_USER_END' | 'REASON_USER_ABANDONED' | 'REASON_NATURAL_END'
  }
  readonly SESSION_IDLE_WARNING: object
  readonly SESSION_START: {
    readonly context_id?: string
    readonly capabilities: {
      readonly streaming: boolean
      readonly max_message_size_bytes: number
      readonly max_reconnect_attempts: number
      readonly heartbeat_interval_seconds: number
      readonly files?: {
        readonly content_types: readonly string[]
        readonly max_size_bytes: number
        readonly max_per_message: number
      }
    }
  }
  readonly SYSTEM_MESSAGE: {
    readonly level:
      | 'SYSTEM_MESSAGE_LEVEL_INFO'
      | 'SYSTEM_MESSAGE_LEVEL_WARNING'
      | 'SYSTEM_MESSAGE_LEVEL_ERROR'
    readonly message: string
  }
  readonly USER_END_SESSION: object
  readonly USER_MESSAGE: {
    readonly message_id: string
    readonly text: string
    readonly files?: readonly SentFile[]
  }
}

/** Payloads of a client's events, by the same names. */
export type ClientPayloads = {
  readonly HEARTBEAT: { readonly [name: string]: string | number | boolean | null }
  readonly LINK_TO_WEBRTC_CONVERSATION: {
    readonly call_sid: string
  }
  readonly REQUEST_AI_AGENT_JOIN: object
  readonly SET_CONTEXT: {
    readonly token: string | null
  }
  readonly USER_END_SESSION: object
  readonly USER_MESSAGE: {
    readonly text?: string | undefined
    readonly file_ids?: readonly string[] | undefined
  }
  readonly USER_TYPING: {
    readonly state:
      | 'TYPING_STATE_STARTED'
      | 'TYPING_STATE_STOPPED'
      | 'started'
      | 'stopped'
  }
}
