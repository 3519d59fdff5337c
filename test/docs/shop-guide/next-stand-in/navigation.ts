/** A stand-in of `next/navigation`: both functions end the page by an error. */

export function redirect(location: string): never {
  throw Object.assign(new Error(`redirect to ${location}`), { location })
}

export function notFound(): never {
  throw Object.assign(new Error('not found'), { isNotFound: true })
}
