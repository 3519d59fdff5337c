import type { X509Certificate } from 'node:crypto'

/** Describes why clients refuse a certificate at a time; `null` when nothing is wrong with it. */
export function describeCertificateRefusal(certificate: X509Certificate, now: number): string | null {
  const { validFromDate, validToDate, signatureAlgorithm } = certificate
  if (validToDate.getTime() < now) return `expired on ${validToDate.toISOString()}`
  if (validFromDate.getTime() > now) return `is not valid before ${validFromDate.toISOString()}`
  // Clients that trust a self-signed certificate do not check its signature.
  const isWeak = /md5|sha1(?!\d)/i.test(signatureAlgorithm ?? '') && !certificate.checkIssued(certificate)
  return isWeak ? `has a weak signature (${signatureAlgorithm})` : null
}
