import { parse } from 'yaml'
import { readDoc } from './read-doc.ts'

export interface AlertingRule {
  alert?: string
  record?: string
  expr: string
  labels?: { severity: string }
  annotations?: { summary: string; description: string; runbook: string }
}

export const rules = (
  parse(readDoc('alerts/forecourt.rules.yml')) as { groups: { rules: AlertingRule[] }[] }
).groups.flatMap((group) => group.rules)
export const alerts = rules.filter((rule) => rule.alert !== undefined) as (AlertingRule &
  Required<Pick<AlertingRule, 'alert' | 'labels' | 'annotations'>>)[]

export interface DashboardPanel {
  id: number
  type: string
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string; refId: string; datasource: { uid: string } }[]
}

export interface Dashboard {
  uid: string
  title: string
  panels: DashboardPanel[]
  templating: { list: { name: string; type: string; query: string | { query: string } }[] }
  annotations: { list: { expr?: string }[] }
}

export const dashboard = JSON.parse(readDoc('grafana/forecourt.json')) as Dashboard

/** Replaces Grafana's variables in a panel's expression. */
const withoutVariables = (expr: string) =>
  expr.replaceAll('$__rate_interval', '5m').replaceAll('$merchant', '.*').replaceAll('$mode', 'live')

export const panelExpressions = dashboard.panels.flatMap(({ title, targets }) =>
  (targets ?? []).map(({ expr }) => ({ title, expr: withoutVariables(expr) })),
)

/** Returns the metrics of an expression, each with the labels of its selector. */
export function metricsIn(expr: string): { name: string; labels: string[] }[] {
  const matches = expr.matchAll(/(?<![\w:"])((?:forecourt|nodejs|process)_\w+)(\{[^}]*\})?/g)
  return [...matches].map(([, name, selector = '']) => ({
    name: name!,
    labels: [...selector.matchAll(/(\w+)\s*(?:=~|!=|!~|=)/g)].map(([, label]) => label!),
  }))
}

/** Returns the labels of all `by` clauses of an expression. */
export const groupingLabelsIn = (expr: string) =>
  [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels]) => labels!.split(',').map((label) => label.trim()))
