/** Returns a new random id. Does not use `randomUUID`, which browsers have on secure pages alone. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
