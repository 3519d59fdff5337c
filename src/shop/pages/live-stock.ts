import { forecourt } from './api-and-account.ts'
import { announce } from './notices-and-forms.ts'
import { bandNames, describeBand } from './product-parts.ts'

const INTERVAL_MS = 4_000

/** Keeps bands current. A browser receives no webhooks, so it asks while it is looked at. A server with `stock.changed` could tell its pages. */
export async function followStock(): Promise<void> {
  if (!document.hidden) await update().catch(() => {})
  setTimeout(followStock, INTERVAL_MS)
}

async function update(): Promise<void> {
  const badges = [...document.querySelectorAll<HTMLElement>('.stock')]
  const skus = [...new Set(badges.flatMap(({ dataset }) => dataset.sku ?? []))]
  if (skus.length === 0) return
  const { data } = await forecourt.getAvailabilityBatch({ body: { skus } }, { maxRetries: 0 })
  for (const { sku, band, eta } of data)
    for (const badge of badges) {
      if (band === null || badge.dataset.sku !== sku || badge.dataset.band === band) continue
      badge.dataset.band = band
      badge.textContent = describeBand({ band, eta })
      badge.classList.add('changed')
      announce(`${sku}: ${bandNames[band]}`)
    }
}
