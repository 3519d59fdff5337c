import type { ConsoleContext } from './console-context.ts'

/** 303: what follows is read, whatever was sent. */
export function redirectTo(ctx: ConsoleContext, way: string): void {
  ctx.status = 303
  ctx.set('Location', way)
  ctx.type = 'text'
  ctx.body = 'See the page that Location names.'
}

const LONGEST = 2_000
/** Stands for this listener, wherever it is reached. */
const HERE = 'http://forecourt.invalid'

/** A path here, with its query, or `/`: what leads elsewhere, however it is spelt, is not followed. */
export function toLocalPath(to: string | null): string {
  if (to === null || to.length > LONGEST || !to.startsWith('/')) return '/'
  const url = URL.parse(to, HERE)
  if (url?.origin !== HERE) return '/'
  const way = `${url.pathname}${url.search}`
  return /^\/(?![/\\])/.test(way) ? way : '/'
}
