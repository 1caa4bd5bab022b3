/** The token in a header `Authorization: Bearer <token>`; null without such a header. */
export const bearerToken = (authorization: string | null): string | null =>
  /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1] ?? null
