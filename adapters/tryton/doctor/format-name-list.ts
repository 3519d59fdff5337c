const MAX_NAMES = 10

export const formatNameList = (names: readonly string[]) =>
  `${names.slice(0, MAX_NAMES).join(', ')}${names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''}`
