/** The part of Fastify that Scalar’s integration needs in order to register its routes. */
interface RouteRegistry {
  route(route: { url: string; handler(request: null, reply: Reply): unknown }): void
  log: { warn(message: string): void }
  hasPlugin(name: string): boolean
}

interface Reply {
  header(): Reply
  send<Body>(body: Body): Body
}

type Integration = (registry: RouteRegistry, options: object, done: () => void) => unknown

/**
 * Returns the renderer of the API reference as one script. Scalar publishes it alone in its integration for Fastify; the package of the renderer
 * itself brings 280 MB of others. The integration is loaded for the first reader. The handler of its script route returns the text.
 */
export async function readScalarScript(): Promise<string> {
  const { default: integrate } = (await import('@scalar/fastify-api-reference')) as unknown as { default: Integration }
  const reply: Reply = { header: () => reply, send: (body) => body }
  let script: unknown
  const registry: RouteRegistry = {
    route({ url, handler }) {
      if (url.endsWith('.js')) script = handler(null, reply)
    },
    log: { warn: () => {} },
    hasPlugin: () => false,
  }
  await integrate(registry, { routePrefix: '/docs', configuration: { content: {} } }, () => {})
  if (typeof script !== 'string') throw new Error('@scalar/fastify-api-reference has no script of its own any more')
  return script
}
