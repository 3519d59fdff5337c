import { join } from 'node:path'
import { openAccounting } from './accounting/accounting-system.ts'
import type { Books, System } from './protocol/operation-handlers.ts'
import { openInventory } from './inventory/inventory-system.ts'
import { openPricing } from './pricing/pricing-system.ts'
import { openStore, type Seed, type Store } from './storage/document-store.ts'

export interface Shelving {
  system: System
  directory: string
  accounts: readonly string[]
  /** Where pictures are published. */
  address: () => string
  now: () => Date
}

/** `undefined`: there is no such account. */
export type BooksOf = (account: string) => Books<System> | undefined

export interface OpenBooks {
  /** Read into memory when they are first asked for. */
  of: BooksOf
  close(): void
}

const openers = { inventory: openInventory, pricing: openPricing, accounting: openAccounting }

/** Opens one system's file of every account, filling new ones from the fixtures. */
export async function openBooks({ system, directory, accounts, address, now }: Shelving): Promise<OpenBooks> {
  const fileOf = (account: string) => join(directory, account, `${system}.db`)
  const stores = new Map<string, Store>()
  const read = new Map<string, Books<System>>()
  for (const account of accounts) {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(account) || account === 'media') {
      throw new Error(`account ${JSON.stringify(account)} of the sandbox: 1 to 64 of A-Z a-z 0-9 . _ - and not "media"`)
    }
    stores.set(account, await openStore(fileOf(account), () => seedOf(system, now())))
  }
  return {
    of(account) {
      const [known, store] = [read.get(account), stores.get(account)]
      if (known || !store) return known
      try {
        read.set(account, openers[system](store, now, address) as Books<System>)
      } catch (cause) {
        throw new Error(`The sandbox's ${system} of ${account} cannot be read from ${fileOf(account)}`, { cause })
      }
      return read.get(account)
    },
    close() {
      for (const store of stores.values()) store.close()
    },
  }
}

// Loaded only when there is something to fill: a start with existing state does without the fixtures.
async function seedOf(system: System, now: Date): Promise<Seed> {
  if (system === 'inventory') return (await import('./inventory/inventory-seed.ts')).inventorySeed(now)
  if (system === 'pricing') return (await import('./pricing/pricing-seed.ts')).pricingSeed(now)
  return (await import('./accounting/accounting-seed.ts')).accountingSeed(now)
}
