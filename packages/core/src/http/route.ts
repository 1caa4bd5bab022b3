import * as z from 'zod'
import type { Account, ApiKeyKind } from '../domain/access/access.ts'
import type { Principal } from '../domain/access/principal.ts'
import type { Agent, AgentRecord } from '../domain/agent/agent.ts'
import type { Family } from '../domain/family.ts'
import type { AgentId } from '../domain/ids.ts'
import type { ErrorCode } from '../errors.ts'
import type { Platform } from '../platform.ts'
import type { PageVerdict } from '../usecases/messaging/admit-page.ts'
import type { BytesAnswer, SuccessAnswers } from './answers/answer.ts'
import type { ANSWERS } from './answers/index.ts'

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type { Family } from '../domain/family.ts'

/** A request as any HTTP server can describe it. */
export interface HttpRequest {
  readonly method: string
  /** Path below the mount point, still percent-encoded, without the query. */
  readonly path: string
  /** The prefix under which the router is mounted, as a client writes it. @default "" */
  readonly basePath?: string
  /** Query string without the question mark. */
  readonly query: string
  /** Names in lower case; of repeated headers the first. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /**
   * Reads the body, once; rejects with BODY_TOO_LARGE above the limit, and with REQUEST_TIMEOUT.
   *
   * @param timeout milliseconds. @default the binding's `requestTimeout`
   */
  body(limit: number, timeout?: number): Promise<Uint8Array>
  /** The peer's address, or what a trusted proxy says. */
  readonly remoteAddress: string
  /** True over TLS, over loopback, or when a trusted proxy says so. */
  readonly secure: boolean
  /**
   * The original request of the binding: that of Node, Express or Fastify, or a `Request`. A host that stores the
   * signed-in person there reads it from there.
   * @default nothing
   */
  readonly original?: unknown
  /**
   * The reason why the request's head is ambiguous, as a sentence. Such a request is refused with 400. @default nothing
   */
  readonly ambiguity?: string
}

/** An answer. A body is sent as it is, with the content type of `headers`. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Null for no body, and for one that comes in chunks. */
  readonly body: string | null
  /**
   * A long body, chunk after chunk; null for any other. A binding takes a chunk when those before have left the
   * process, so that nothing piles up and other requests have their turn; when it throws, the connection is cut off.
   */
  readonly chunks: AsyncIterable<string | Uint8Array> | null
  /**
   * Set if the chunks are made while they are read, possibly for hours. Such an answer has no deadline. A binding cuts
   * its connection off when this aborts. It calls `return` of the iterator, which works at any time, as soon as the
   * reader is gone (ES5).
   *
   * @default a long body that is there
   */
  readonly cutOff?: AbortSignal
}

/**
 * The credential of a route: a kind of API key; a project or workspace key, alone or beside a connector's token or a
 * telephony connector's id, which may be left out (`line_key`); or one that its handler checks.
 */
export type RouteCredential = ApiKeyKind | 'host_key' | 'key_and_token' | 'key_and_line' | 'line_key' | 'own'

/** The account and agent that a request names, as it names them: id or slug, and agent id. */
export interface RouteScope {
  readonly account?: string
  readonly agent?: string
  /** The route concerns the account of the agent as a whole, so a key for one agent does not open it. @default false */
  readonly wholeAccount?: boolean
  /**
   * Whether a deleted agent of the account is accepted too. For routes that read data that outlives its agent.
   *
   * @default false
   */
  readonly evenDeleted?: boolean
  /** The handler answers with the agent's record, so that the agent is read together with it. @default false */
  readonly asRecord?: boolean
}

/** The input of a route's handler, parsed and checked. */
export interface RouteCall<Params, Query, Body> {
  readonly platform: Platform
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly principal: Principal
  /** The account that `scope` names, or the account of its agent; exists and may be used by the principal. */
  readonly account: Account | null
  /** The agent that `scope` names; exists, belongs to the account and may be used by the principal. */
  readonly agent: Agent | null
  /** The agent with the number of its branches, if `scope` asks for it; null elsewhere. */
  readonly record: AgentRecord | null
  /** The id of that agent. Includes deleted agents of the account if `scope` allows them. */
  readonly agentId: AgentId | null
  readonly correlationId: string
  readonly request: HttpRequest
}

/**
 * A handler's answer: a value that becomes JSON, text that is JSON already, whole or in chunks, bytes whose type its
 * headers say, or nothing.
 */
export type RouteResult =
  | { readonly status: number; readonly json: unknown; readonly headers?: Readonly<Record<string, string>> }
  | { readonly status: number; readonly text: string; readonly headers?: Readonly<Record<string, string>> }
  | {
      readonly status: number
      readonly chunks: AsyncIterable<string | Uint8Array>
      readonly headers?: Readonly<Record<string, string>>
      /** As in `HttpResponse`. */
      readonly cutOff?: AbortSignal
    }
  | { readonly status: 202 | 204 }

/** The name of what a route does; of the method of a client that does it. */
export type Operation = keyof typeof ANSWERS

interface WithHeaders {
  readonly headers?: Readonly<Record<string, string>>
}

type Chunks = WithHeaders & {
  readonly chunks: AsyncIterable<string | Uint8Array>
  readonly cutOff?: AbortSignal
}

type ResultOf<Success extends SuccessAnswers> = {
  readonly [Status in keyof Success & number]: {
    readonly status: Status
  } & (Success[Status] extends z.ZodType
    ? (WithHeaders & ({ readonly json: z.input<Success[Status]> } | { readonly text: string })) | Chunks
    : Success[Status] extends BytesAnswer
      ? Chunks
      : unknown)
}[keyof Success & number]

/**
 * The results that the handler of an operation may return. Derived from its declaration, so that the two cannot differ.
 */
export type OperationResult<Name extends Operation> = Extract<
  ResultOf<(typeof ANSWERS)[Name]['success']>,
  RouteResult
>

/** JSON that is text already, whole or in chunks. */
export type TextResult =
  | { readonly status: 200; readonly text: string }
  | { readonly status: 200; readonly chunks: AsyncIterable<string> }

/** A route as data. The dispatcher, the bindings and the documents are all made from these. */
export interface Route<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Result extends RouteResult = RouteResult,
> {
  readonly method: HttpMethod
  /** Segments beginning with a colon are parameters: `/v1/agents/:agentId`. */
  readonly path: string
  readonly family: Family
  readonly credential: RouteCredential
  /** The operation in one word. Names the declared responses, and the method of a client. */
  readonly operation: string
  /** One line for the documents. */
  readonly summary: string
  readonly params: Params
  /** Given the query as an object: a parameter that is given once is a string, a repeated one an array of strings. */
  readonly query: Query
  /**
   * The schema of the body. An empty body is parsed as an empty object. Null: the route takes no body, and leaves one
   * that comes unread. `raw` routes read `request.body` themselves.
   */
  readonly body: Body | 'raw' | null
  /**
   * Reports whether a page of that origin may call the route with the request's credential, and read the answers (HY1
   * to HY3). A route without this answers no page of another origin.
   */
  admitPage?(call: {
    readonly platform: Platform
    readonly request: HttpRequest
    readonly origin: string
  }): Promise<PageVerdict>
  /** The error code for an invalid request. @default SCHEMA_VALIDATION_FAILED */
  readonly invalid?: ErrorCode
  /** Error codes for single invalid parameters and fields, by name. @default the route's code */
  readonly invalidFields?: Readonly<Record<string, ErrorCode>>
  /**
   * The request carries what must not travel in plain text: over it the dispatcher refuses it (MS14). @default false
   */
  readonly refusesPlainText?: boolean
  /** A player of a page reads it, and sends no headers of the page's own (PE4). @default false */
  readonly isPlayed?: boolean
  /** Reading leaves an entry in the audit log, as writing does. @default false */
  readonly isNoted?: boolean
  /**
   * The account and agent that the request is about; the dispatcher checks that they exist and that the key may use
   * them. A route that reads the query for that refuses an invalid one first, others only then.
   */
  scope?(input: { readonly params: z.output<Params>; readonly readQuery: () => z.output<Query> }): RouteScope
  /**
   * Refuses requests that no body could make valid; called before the body is read, once account and agent are found.
   */
  precondition?(input: { readonly method: HttpMethod; readonly params: z.output<Params> }): void
  handle(call: RouteCall<z.output<Params>, z.output<Query>, z.output<Body>>): Promise<Result>
}

const nothing = z.object({})
type Nothing = typeof nothing

/** A route as it is written: one that leaves out parameters of the path, a query or a body takes none. */
type Written<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Result extends RouteResult = RouteResult,
> = Omit<Route<Params, Query, Body, Result>, 'params' | 'query' | 'body'> &
  Partial<Pick<Route<Params, Query, Body, Result>, 'params' | 'query' | 'body'>>

/** Derives the types of a route from its schemas, but not its responses: see {@link defineRoute}. */
export const describeRoute = <
  Params extends z.ZodType = Nothing,
  Query extends z.ZodType = Nothing,
  Body extends z.ZodType = z.ZodType,
>(
  route: Written<Params, Query, Body>,
): Route => ({ params: nothing, query: nothing, body: null, ...route })

/** Derives the types of a route from its schemas, and its responses from those declared for the operation. */
export const defineRoute = <
  const Name extends Operation,
  Params extends z.ZodType = Nothing,
  Query extends z.ZodType = Nothing,
  Body extends z.ZodType = z.ZodType,
>(
  route: Written<Params, Query, Body, OperationResult<Name>> & { readonly operation: Name },
): Route => describeRoute(route)
