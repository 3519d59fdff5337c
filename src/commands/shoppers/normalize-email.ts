/** Returns the form in which email addresses are stored and compared. */
export const normalizeEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase()
