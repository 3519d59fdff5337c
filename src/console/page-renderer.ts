import { join } from 'node:path'
import { Eta } from 'eta'
import type { OperatorSession } from '../storage/operators/operator-sessions.ts'
import type { Assets } from './assets.ts'
import type { TemplateResponse } from './console-page.ts'
import type { FlashMessage } from './flash-message.ts'
import { getOperatorTimeZone, type OperatorTimeZone } from './operator-time-zone.ts'
import { formatTimeAgo } from './text/format-durations.ts'

/** The properties of `it` that every template sees next to its `view`. */
export interface TemplateContext {
  title: string
  operator: OperatorSession['operator']
  /** The operator's role allows actions; without it, templates leave out the forms. */
  canAct: boolean
  /** For each form: `<input type="hidden" name="csrf" value="<%= it.csrfToken %>">`. */
  csrfToken: string
  assetUrl(name: string): string
  /** Formats an RFC 3339 time as `3 min ago`. */
  timeAgo(iso: string): string
  /** The time zone of the times; `name` is `null` for that of the merchant. */
  timeZone: OperatorTimeZone
  /** Without the query, in which somebody may have pasted a secret. */
  path: string
}

export interface PageRenderContext {
  session: OperatorSession
  path: string
  nowMs: number
}

export interface PageRenderer {
  /** Renders the content of `<main>`. */
  renderMain(response: TemplateResponse, context: PageRenderContext): string
  /** Renders the whole page. With `isLive`, the browser subscribes to updates of `<main>`. */
  renderPage(
    response: TemplateResponse,
    context: PageRenderContext,
    options: { flashMessage: FlashMessage | null; isLive: boolean },
  ): string
  /** Renders a page without a session. */
  renderSignedOutPage(template: string, title: string, view: object): string
}

const navigation = [
  ['/', 'Now'],
  ['/incidents', 'Incidents'],
  ['/timeline', 'Timeline'],
  ['/request', 'Request'],
  ['/mirrors', 'Mirrors'],
  ['/webhooks', 'Webhooks'],
  ['/keys', 'Keys'],
  ['/notices', 'Notices'],
  ['/audit', 'Audit'],
] as const

/** Templates escape their values, are read at their first use and stay compiled. */
export function createPageRenderer(assets: Assets): PageRenderer {
  const eta = new Eta({ views: join(import.meta.dirname, 'templates'), cache: true, autoEscape: true, autoTrim: false })

  const toTemplateContext = (title: string, { session, nowMs, path }: PageRenderContext): TemplateContext => ({
    title,
    operator: session.operator,
    canAct: session.operator.role === 'operator',
    csrfToken: session.csrf,
    assetUrl: assets.url,
    timeAgo: (iso) => formatTimeAgo(iso, nowMs),
    timeZone: getOperatorTimeZone(),
    path: path.split('?', 1)[0]!,
  })
  const renderMain = ({ template, title, view }: TemplateResponse, context: PageRenderContext) =>
    eta.render(`./${template}`, { ...toTemplateContext(title, context), view })

  return {
    renderMain,
    renderPage(response, context, options) {
      const links = navigation.map(([path, name]) => ({ path, name, isCurrent: isWithin(context.path, path) }))
      const main = renderMain(response, context)
      return eta.render('./layout', { ...toTemplateContext(response.title, context), ...options, links, main })
    },
    renderSignedOutPage: (template, title, view) => eta.render(`./${template}`, { title, view, assetUrl: assets.url }),
  }
}

function isWithin(url: string, section: string): boolean {
  const path = url.split('?', 1)[0]!
  return path === section || (section !== '/' && path.startsWith(`${section}/`))
}
