import { readFileSync } from 'node:fs'
import type { EventEnvelope } from '../../src/contract/events/event-envelope.ts'
import type { ApiServerProcess } from './api-server-process.ts'
import { CATEGORIES, type CatalogModel, type VisibleProduct, versionOf } from './catalog-model.ts'
import { getJson } from './get-json.ts'
import { type CategoryView, createSyncClient, type ProductView, toVisible } from './sync-client.ts'

interface CheckerParts {
  model: CatalogModel
  servers: readonly ApiServerProcess[]
  key: string
}

/** A process that did not have the change of an event when the event came. */
export interface EarlyEvent {
  server: ApiServerProcess
  at: number
  text: string
}

/** Compares what processes show with a model of the upstream, and with events. */
export interface CatalogChecker {
  readonly early: EarlyEvent[]
  /** How often a process was compared with an event. */
  readonly comparisons: number
  /** Looks whether each process has the change of an event that has just come. */
  checkEvent(event: EventEnvelope): Promise<void>
  /** Returns what differs between each process and the model, in each kind of read. */
  listDifferences(): Promise<string[]>
}

export function createCatalogChecker({ model, servers, key }: CheckerParts): CatalogChecker {
  const early: EarlyEvent[] = []
  /** The place of the last event's band among the bands that each SKU has had. */
  const bandPlaces = new Map<string, number>()
  let comparisons = 0

  /** Returns the oldest place that the band of a new event may have. */
  function findBandPlace(sku: string, band: string): number {
    const place = (model.bands.get(sku) ?? []).indexOf(band, (bandPlaces.get(sku) ?? -1) + 1)
    if (place >= 0) bandPlaces.set(sku, place)
    return place
  }

  function findOlder(data: Record<string, string>, view: ProductView | null): string | null {
    const [record] = model.recordsOf(data.sku!)
    if (!view) return record?.active && versionOf(record.name) <= versionOf(data.name!) ? 'is missing' : null
    if (versionOf(view.name) < versionOf(data.name!)) return `is ${view.name}`
    const price = model.prices.get(data.sku!)
    const isPrice = data.changed!.includes('price') && price?.updatedAt === Date.parse(data.updated_at!)
    const amount = view.price?.amount ?? '0'
    return isPrice && versionOf(amount) < versionOf(price.value) ? `costs ${amount}` : null
  }

  /** Returns what is wrong with a product that was read after an event, unless it has changed since. */
  function findMistake(event: EventEnvelope, view: ProductView | null, bandPlace: number): string | null {
    const { type, data } = event as { type: string; data: Record<string, string> }
    if (type === 'product.deactivated') {
      const isNewer =
        view && model.recordsOf(data.sku!).some(({ updatedAt }) => updatedAt > Date.parse(data.updated_at!))
      return view && !isNewer ? `is ${view.name}` : null
    }
    if (type === 'product.updated') return findOlder(data, view)
    if (!view) return null
    const band = view.availability?.band
    const later = model.bands.get(data.sku!)!.slice(Math.max(0, bandPlace))
    return band !== undefined && !later.includes(band) ? `is ${band}` : null
  }

  async function readProduct(server: ApiServerProcess, sku: string): Promise<ProductView | null | undefined> {
    const { status, body } = await getJson<ProductView>(server.address, key, `/v1/products/${sku}`)
    return status === 404 ? null : status === 200 ? body : undefined
  }

  async function compareProcess(server: ApiServerProcess): Promise<string[]> {
    const expected = model.visible()
    const name = `process ${servers.indexOf(server) + 1}`
    const synced = createSyncClient(
      () => server.address,
      key,
      () => true,
    )
    if (!(await synced.sync())) return [`${name} does not respond`]
    const differences = listMapDifferences(`the list of ${name}`, expected, synced.products)
    for (const sku of model.bands.keys()) {
      const view = await readProduct(server, sku)
      const [found, wanted] = [view && JSON.stringify(toVisible(view)), JSON.stringify(expected.get(sku))]
      if ((found ?? undefined) !== wanted) differences.push(`${sku} of ${name}: ${found}, not ${wanted}`)
    }
    return [...differences, ...(await compareCategories(server, name))]
  }

  /** Compares the tree, with the number of products of each category, and the products that a search in each category finds. */
  async function compareCategories(server: ApiServerProcess, name: string): Promise<string[]> {
    const read = async <R>(path: string) => (await getJson<{ data: R[] }>(server.address, key, path)).body?.data ?? []
    const differences: string[] = []
    const tree = await read<CategoryView>('/v1/categories')
    for (const category of CATEGORIES) {
      const expected = [...model.visible()].flatMap(([sku, product]) => (product.category === category ? sku : []))
      const skus = (await read<ProductView>(`/v1/products?limit=200&category=${category}`)).map(({ sku }) => sku).sort()
      if (skus.join() !== expected.join()) differences.push(`${category} of ${name}: ${skus}, not ${expected}`)
      const count = tree.find(({ category_id }) => category_id === category)?.product_count
      if (count !== model.countIn(category)) differences.push(`${category} of ${name}: ${count} products`)
    }
    return differences
  }

  return {
    early,
    get comparisons() {
      return comparisons
    },
    async checkEvent(event) {
      const { sku, band } = event.data as { sku: string; band?: string }
      const bandPlace = band === undefined ? -1 : findBandPlace(sku, band)
      if (model.doubled.has(sku)) return
      const check = async (server: ApiServerProcess) => {
        const view = await readProduct(server, sku)
        if (view === undefined) return
        comparisons += 1
        const mistake = findMistake(event, view, bandPlace)
        const text = `${sku} ${mistake} in process ${servers.indexOf(server) + 1} after ${JSON.stringify(event)}`
        if (mistake) early.push({ server, at: Date.now(), text })
      }
      await Promise.all(servers.map(check))
    },
    async listDifferences() {
      return (await Promise.all(servers.map(compareProcess))).flat()
    },
  }
}

export function listMapDifferences(
  name: string,
  expected: ReadonlyMap<string, VisibleProduct>,
  found: ReadonlyMap<string, VisibleProduct>,
): string[] {
  const skus = [...new Set([...expected.keys(), ...found.keys()])]
  return skus.flatMap((sku) => {
    const [wanted, actual] = [JSON.stringify(expected.get(sku)), JSON.stringify(found.get(sku))]
    return wanted === actual ? [] : `${sku} in ${name}: ${actual}, not ${wanted}`
  })
}

interface SilenceLine {
  time: number
  silent_ms: number
}

const SILENT = 'this process was silent'
/** A process that reports again has the missing changes within this time. */
const RECOVERY_MS = 5_000

/** Returns whether others did not wait for a process at a time, because the machine was so busy that it did not report. It logs that afterwards. */
export function wasSilent(log: string, at: number): boolean {
  const lines = readFileSync(log, 'utf8').split('\n')
  const ends = lines.filter((line) => line.includes(SILENT)).map((line) => JSON.parse(line) as SilenceLine)
  return ends.some(({ time, silent_ms }) => at > time - silent_ms && at < time + RECOVERY_MS)
}
