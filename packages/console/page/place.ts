/** Key of the place at which the reader was asked to sign in. The login leads to the page, and not to a place in it. */
const KEY = 'colloquy-console-place'

function stored(): Storage | null {
  try {
    return sessionStorage
  } catch {
    return null
  }
}

/** Keeps the place of this tab until somebody is signed in again. */
export function keepPlace(): void {
  if (location.hash !== '') stored()?.setItem(KEY, location.hash)
}

/** Goes back there, unless the address names a place already. */
export function returnToPlace(): void {
  const place = stored()?.getItem(KEY) ?? ''
  stored()?.removeItem(KEY)
  if (location.hash === '' && place.startsWith('#/')) location.replace(place)
}
