import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Returns the number in E.164; null if it cannot be one. Loaded with the first number: it knows all countries. */
export function numberIn(given: string, country?: string): string | null {
  const region = country?.toUpperCase()
  if (region !== undefined && !isSupportedCountry(region)) return null
  const parsed = parsePhoneNumberFromString(given, {
    ...(region && { defaultCountry: region }),
    extract: false,
  })
  return parsed?.isPossible() ? parsed.number : null
}
