/** Removes path and query from an endpoint URL: they often contain a secret. */
export function redactEndpointUrl(url: string): string {
  const { origin, pathname, search } = new URL(url)
  return pathname === '/' && search === '' ? origin : `${origin}/…`
}
