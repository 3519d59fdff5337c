import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RouteTag, routeTags } from '../../../http/route-tags.ts'
import { createErrorCodesPage } from './error-codes-page.ts'
import { createEventTypesPage } from './event-types-page.ts'

/** An OpenAPI tag. One without operations is a page of the reference. */
export interface ReferenceTag {
  name: string
  description: string
}

const docs = join(import.meta.dirname, '../../../../docs')
const readGuide = (name: string): string => readFileSync(join(docs, name), 'utf8').replace(/^# .*\n+/, '')

/** The sections of the storefront guide that are pages before the calls, and those that open a group of calls. */
const pageSections = ['Keys', 'Partial responses', 'Errors', 'Retries', 'Caching', 'Rate limits'] as const
const tagSections: Partial<Record<RouteTag, readonly string[]>> = {
  Catalog: ['Search', 'Catalog sync'],
  Shoppers: ['From sign-in to invoice'],
  Carts: ['Carts'],
  Checkout: ['Checkout'],
  Webhooks: ['Events'],
}

/** Returns the tags of the reference: the guides as pages, and the groups of calls, each with its part of the storefront guide. */
export function createReferenceTags(): ReferenceTag[] {
  const guide = readGuide('storefront-guide.md')
  const pages = [
    { name: 'Sandbox', description: readGuide('sandbox.md') },
    { name: 'From nothing to a shop', description: readGuide('guide-shop.md') },
    ...pageSections.map((name) => ({ name, description: sectionOf(guide, name) })),
  ]
  const groups = Object.entries(routeTags).map(([name, text]) => ({
    name,
    description: [
      text,
      ...(tagSections[name as RouteTag] ?? []).map((section) => toTagSection(name, section, guide)),
    ].join('\n\n'),
  }))
  const tables = [
    { name: 'Error codes', description: createErrorCodesPage() },
    { name: 'Event reference', description: createEventTypesPage() },
    { name: 'Receiving webhooks', description: readGuide('webhooks.md') },
  ]
  return [...pages, ...groups, ...tables].map(({ name, description }) => ({
    name,
    description: replaceLinks(description),
  }))
}

/** A section that has the name of its group needs no heading. */
const toTagSection = (tag: string, section: string, guide: string): string =>
  `${tag === section ? '' : `## ${section}\n\n`}${sectionOf(guide, section)}`

/** Returns the text below a heading of the second level. Throws if the guide has no such heading. */
function sectionOf(guide: string, heading: string): string {
  const [, rest] = `\n${guide}`.split(`\n## ${heading}\n`)
  if (rest === undefined) throw new Error(`The storefront guide has no section ${heading}`)
  return rest.split('\n## ')[0]!.trim()
}

const pageOfFile: Readonly<Record<string, string>> = {
  'errors.md': 'Error codes',
  'events.md': 'Event reference',
  'guide-shop.md': 'From nothing to a shop',
  'sandbox.md': 'Sandbox',
  'webhooks.md': 'Receiving webhooks',
}

/** Turns links to other guides into links to pages of the reference, or into plain text if the reference has no such page. */
function replaceLinks(markdown: string): string {
  return markdown.replace(/\[([^\]]+)\]\((?!https?:)([^)]*)\)/g, (_, text: string, target: string) => {
    const page = findPage(target)
    return page ? `[${text}](#tag/${toSlug(page)})` : text
  })
}

function findPage(target: string): string | undefined {
  const [file = '', anchor = ''] = target.split('#')
  if (file !== '' && file !== 'storefront-guide.md') return pageOfFile[file]
  const isAnchorOf = (heading: string) => toSlug(heading) === anchor
  const group = Object.entries(tagSections).find(([, sections]) => sections.some(isAnchorOf))?.[0]
  return pageSections.find(isAnchorOf) ?? group
}

const toSlug = (name: string): string => name.toLowerCase().replaceAll(' ', '-')
