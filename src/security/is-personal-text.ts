import { decodeAscii } from './decode-ascii.ts'

/** An email address, or something as long as a token. Resource ids are shorter. */
export const PERSONAL_TEXT = /@|[A-Za-z0-9]{40}/

/** Returns whether a text may be a key, a token or a person's address, which no record holds. */
export const isPersonalText = (text: string): boolean => PERSONAL_TEXT.test(text) || decodeAscii(text).includes('svc_')
