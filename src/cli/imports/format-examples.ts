const EXAMPLES = 10

/** Lists the first few names. */
export const formatExamples = (names: readonly string[]): string =>
  `${names.slice(0, EXAMPLES).join(', ')}${names.length > EXAMPLES ? ' …' : ''}`
