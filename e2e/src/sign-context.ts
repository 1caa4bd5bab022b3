import { createHmac } from 'node:crypto'

/** The response of `POST …/context-keys`. */
export interface Secret {
  readonly kid: string
  readonly secret: string
}

/** A flat object: what is true of the visitor. */
export type Context = Readonly<Record<string, string | number | boolean | null>>

/** The token of a conversation, which is good for half a minute. */
export function signContext({ kid, secret }: Secret, contextId: string, ctx: Context): string {
  const iat = Math.floor(Date.now() / 1000)
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
  const header = encode({ alg: 'HS256', typ: 'JWT', kid })
  const content = `${header}.${encode({ sub: contextId, iat, exp: iat + 30, ctx })}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}
