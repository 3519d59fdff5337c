/** The rule for account names, as messages say it. */
export const ACCOUNT_NAME_RULE =
  'use 1 to 64 characters of A-Z a-z 0-9 . _ -, beginning with a letter or digit, and not "media"'

/** Tests whether an account of the embedded back office may have this name, which is a folder and a part of URLs. */
export const isAccountName = (name: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name) && name !== 'media'
