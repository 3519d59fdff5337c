const PREFIX = 'WEB-'

/** The party code for a creation reference: the code is the only field of a party that the database keeps unique. */
export const toPartyCode = (reference: string) => `${PREFIX}${reference}`

/** The code as an account number; `null` for a code made from a reference, which is too long to read out on the telephone. */
export const toAccountNumber = (code: string | null) => (code && !code.startsWith(PREFIX) ? code : null)
