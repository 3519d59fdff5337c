/** Parses `count` ASCII digits, starting at `from`. Returns -1 when they are not digits. */
export function parseDigits(text: string, from: number, count: number): number {
  let value = 0
  for (let at = from; at < from + count; at += 1) {
    const digit = text.charCodeAt(at) - 48
    if (!(digit >= 0 && digit <= 9)) return -1
    value = value * 10 + digit
  }
  return value
}
