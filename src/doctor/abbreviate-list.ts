const MAX_NAMES = 10

/** The first names of a list, and how many more there are. */
export const abbreviateList = (names: readonly string[]) =>
  `${names.slice(0, MAX_NAMES).join(', ')}${names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''}`
