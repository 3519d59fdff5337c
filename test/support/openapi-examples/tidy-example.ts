import type { RunningDemo } from './running-demo.ts'

/** Random texts, which a reader need not compare and a scanner for secrets should not find. */
const standIns: Readonly<Record<string, string>> = {
  shopper_token: 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V',
  refresh_token: 'Z9y8X7w6V5u4T3s2R1q0P9o8N7m6L5k4J3i2H1g0F9e',
  device_token: 'Q0w9E8r7T6y5U4i3O2p1A0.s9D8f7G6h5J4k3L2z1X0c',
  signing_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLwSwMfKQ9r8GKYo=',
  token: 'C0d3Fr0mTh3Em41lC0d3Fr0mTh3Em41lC0d3Fr0mTh3',
}

/** Returns an example as the document shows it: lists end after two rows, and addresses and secrets are those of no machine. */
export function tidyExample(value: unknown, demo: Pick<RunningDemo, 'address' | 'endpointUrl'>): unknown {
  const tidy = (part: unknown, name = ''): unknown => {
    if (typeof part === 'string') return standIns[name] ?? withoutAddresses(part, demo)
    if (Array.isArray(part)) return showRows(part).map((row) => tidy(row))
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, member]) => [key, tidy(member, key)]))
  }
  return tidy(value)
}

const withoutAddresses = (text: string, { address, endpointUrl }: Pick<RunningDemo, 'address' | 'endpointUrl'>) =>
  text
    .replaceAll(endpointUrl, 'https://shop.example/hooks/forecourt')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://api.shop.example')
    .replaceAll(address, 'https://api.shop.example')

/** Returns the first row, and one of another form if there is one, or the second row. */
function showRows(rows: readonly unknown[]): unknown[] {
  const formOf = (row: unknown) => (typeof row === 'object' && row !== null ? Object.keys(row).join() : '')
  const other = rows.findIndex((row) => formOf(row) !== formOf(rows[0]))
  return other > 0 ? [rows[0], rows[other]] : rows.slice(0, 2)
}
