const EXAMPLES = 10

/** Lists the first few names. */
export const shortenList = (names: readonly string[]): string =>
  `${names.slice(0, EXAMPLES).join(', ')}${names.length > EXAMPLES ? ' …' : ''}`
