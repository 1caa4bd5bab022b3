/** Reports whether digits fit Luhn's sum, as those of payment cards do (ISO/IEC 7812). */
export function fitsLuhn(digits: readonly number[]): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place++) {
    const digit = digits[digits.length - 1 - place] ?? 0
    const doubled = place % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** Reports whether letters and digits fit the sum of an IBAN (ISO 7064, MOD 97-10). */
export function fitsIban(iban: string): boolean {
  let rest = 0
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

const weighed = (digits: readonly number[], weights: readonly number[]): number =>
  weights.reduce((sum, weight, at) => sum + weight * (digits[at] ?? 0), 0)

/** Reports whether eleven digits are a German tax id (ISO 7064, MOD 11,10). */
export function fitsGermanTaxId(digits: readonly number[]): boolean {
  if (digits.length !== 11 || digits[0] === 0) return false
  let product = 10
  for (const digit of digits.slice(0, 10)) {
    const sum = (digit + product) % 10
    product = ((sum === 0 ? 10 : sum) * 2) % 11
  }
  return (11 - product) % 10 === digits[10]
}

/** Reports whether fifteen digits are a French social security number, its key included. */
export const fitsFrenchNir = (digits: readonly number[]): boolean =>
  digits.length === 15 &&
  (digits[0] === 1 || digits[0] === 2) &&
  97n - (BigInt(digits.slice(0, 13).join('')) % 97n) === BigInt(digits.slice(13).join(''))

/** Reports whether eleven digits are a Polish PESEL. */
export const fitsPesel = (digits: readonly number[]): boolean =>
  digits.length === 11 && weighed(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0

/** Reports whether nine digits are a Dutch BSN. */
export const fitsBsn = (digits: readonly number[]): boolean =>
  digits.length === 9 &&
  weighed(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0 &&
  digits.some(digit => digit > 0)

const DNI_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'

/** Reports whether eight digits and a letter are a Spanish DNI, or a NIE whose first letter is a digit here. */
export const fitsDni = (digits: readonly number[], letter: string): boolean =>
  digits.length === 8 && DNI_LETTERS[Number(digits.join('')) % 23] === letter.toUpperCase()
