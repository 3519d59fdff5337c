/** Most numbers match, and need no Unicode normalization. */
const ALPHANUMERIC = /^[A-Za-z0-9]*$/

/** Returns a number as it is compared: upper case, letters and digits only. `BP-1001`, `bp 1001` and `BP1001` are one number. */
export const normalizeNumber = (number: string): string =>
  ALPHANUMERIC.test(number)
    ? number.toUpperCase()
    : number
        .normalize('NFKD')
        .replace(/[^\p{L}\p{N}]/gu, '')
        .toUpperCase()
