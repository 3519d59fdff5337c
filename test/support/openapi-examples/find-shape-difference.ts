/**
 * Returns where an example has another shape than the response of the same call: other members, or values of another type. A value that may
 * be null may be null in either, and each row of an example must have the shape of some row of the response.
 */
export function findShapeDifference(example: unknown, actual: unknown, path = '$'): string | null {
  if (example === null || actual === null) return null
  if (Array.isArray(example)) return findRowDifference(example, actual, path)
  if (typeof example !== typeof actual || Array.isArray(actual)) return `${path}: ${typeof example}`
  if (typeof example !== 'object') return null
  const [left, right] = [example as Record<string, unknown>, actual as Record<string, unknown>]
  const names = Object.keys(left)
  if (names.sort().join() !== Object.keys(right).sort().join())
    return `${path}: ${names.join()} instead of ${Object.keys(right).join()}`
  for (const name of names) {
    const difference = findShapeDifference(left[name], right[name], `${path}.${name}`)
    if (difference) return difference
  }
  return null
}

function findRowDifference(example: unknown[], actual: unknown, path: string): string | null {
  if (!Array.isArray(actual)) return `${path}: a list`
  if (actual.length === 0) return null
  for (const row of example) {
    const differences = actual.map((other) => findShapeDifference(row, other, `${path}[]`))
    if (differences.every((difference) => difference !== null)) return differences[0]!
  }
  return null
}
