import type { ConsoleContext } from './console-context.ts'

/** Redirects with 303, so that the browser follows with GET. */
export function redirectTo(ctx: ConsoleContext, path: string): void {
  ctx.status = 303
  ctx.set('Location', path)
  ctx.type = 'text'
  ctx.body = 'Redirecting to the URL in the Location header.'
}
