import { join } from 'node:path'
import { Eta } from 'eta'
import type { OperatorSession } from '../storage/operators/operator-sessions.ts'
import type { Assets } from './assets.ts'
import type { TemplateResponse } from './console-page.ts'
import { formatDuration, formatTimeAgo } from './text/format-durations.ts'

/** What every template sees as `it`, beside its `view`. */
export interface TemplateContext {
  title: string
  /** Whose page it is. */
  operator: OperatorSession['operator']
  /** Whether they may act: a form that they may not send is not shown. */
  mayAct: boolean
  /** For each form: `<input type="hidden" name="csrf" value="<%= it.csrf %>">`. */
  csrf: string
  /** With its query: where this page is. */
  path: string
  nowMs: number
  asset(name: string): string
  /** `3 min ago` of an RFC 3339 time. */
  ago(iso: string): string
  /** `1 min 5 s` of milliseconds. */
  lasting(ms: number): string
}

export interface FlashMessage {
  text: string
  failed: boolean
}

/** Who looks, from where, when. */
export interface PageRenderContext {
  session: OperatorSession
  path: string
  nowMs: number
}

export interface PageRenderer {
  /** The part of a page that changes: what `<main>` holds. */
  main(shown: TemplateResponse, onlooker: PageRenderContext): string
  /** The whole page. `live`: its main part is sent anew while it is looked at. */
  whole(
    shown: TemplateResponse,
    onlooker: PageRenderContext,
    extra: { notice: FlashMessage | null; live: boolean },
  ): string
  /** A page for those who have not signed in. */
  outside(template: string, title: string, view: object): string
}

const sections = [
  ['/', 'Now'],
  ['/incidents', 'Incidents'],
  ['/timeline', 'Timeline'],
  ['/request', 'Request'],
  ['/webhooks', 'Webhooks'],
  ['/keys', 'Keys'],
  ['/audit', 'Audit'],
] as const

/** Renders pages. Templates escape what they show, are read at their first use, and stay compiled. */
export function createPageRenderer(assets: Assets): PageRenderer {
  const eta = new Eta({ views: join(import.meta.dirname, 'templates'), cache: true, autoEscape: true, autoTrim: false })

  const commonOf = (title: string, { session, path, nowMs }: PageRenderContext): TemplateContext => ({
    ...{ title, path, nowMs, lasting: formatDuration, asset: assets.url },
    ...{ operator: session.operator, mayAct: session.operator.role === 'operator', csrf: session.csrf },
    ago: (iso) => formatTimeAgo(iso, nowMs),
  })
  const main = ({ template, title, view }: TemplateResponse, onlooker: PageRenderContext) =>
    eta.render(`./${template}`, { ...commonOf(title, onlooker), view })

  return {
    main,
    whole(shown, onlooker, extra) {
      const nav = sections.map(([path, name]) => ({ path, name, current: isWithin(onlooker.path, path) }))
      const common = commonOf(shown.title, onlooker)
      return eta.render('./layout', { ...common, ...extra, nav, main: main(shown, onlooker) })
    },
    outside: (template, title, view) => eta.render(`./${template}`, { title, view, asset: assets.url }),
  }
}

function isWithin(path: string, section: string): boolean {
  const bare = path.split('?', 1)[0]!
  return bare === section || (section !== '/' && bare.startsWith(`${section}/`))
}
