/** The token in a header `Authorization: Bearer <token>`; null when there is none. */
export const bearerToken = (authorization: string | null): string | null =>
  /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1] ?? null
