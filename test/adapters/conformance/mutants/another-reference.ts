let made = 0

/** Returns a reference that was not used before. */
export function anotherReference(reference: string): string {
  made += 1
  return `${reference}-${made}`
}
