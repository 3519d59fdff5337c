import { join } from 'node:path'
import { openAccountingSystem } from './accounting/accounting-system.ts'
import { openInventorySystem } from './inventory/inventory-system.ts'
import { openPricingSystem } from './pricing/pricing-system.ts'
import type { AccountSystem, SandboxSystem } from './protocol/operation-handlers.ts'
import { type DocumentSeed, type DocumentStore, openDocumentStore } from './storage/document-store.ts'

export interface AccountRegistryOptions {
  system: SandboxSystem
  directory: string
  accounts: readonly string[]
  /** Where pictures are published. */
  address: () => string
  now: () => Date
}

/** `undefined`: there is no such account. */
export type AccountLookup = (account: string) => AccountSystem<SandboxSystem> | undefined

export interface AccountRegistry {
  /** Read into memory when they are first asked for. */
  find: AccountLookup
  close(): void
}

const openers = { inventory: openInventorySystem, pricing: openPricingSystem, accounting: openAccountingSystem }

/** Opens one system's file of every account, filling new ones from the fixtures. */
export async function openAccountRegistry({
  system,
  directory,
  accounts,
  address,
  now,
}: AccountRegistryOptions): Promise<AccountRegistry> {
  const fileOf = (account: string) => join(directory, account, `${system}.db`)
  const stores = new Map<string, DocumentStore>()
  const read = new Map<string, AccountSystem<SandboxSystem>>()
  for (const account of accounts) {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(account) || account === 'media') {
      throw new Error(`account ${JSON.stringify(account)} of the sandbox: 1 to 64 of A-Z a-z 0-9 . _ - and not "media"`)
    }
    stores.set(account, await openDocumentStore(fileOf(account), () => seedOf(system, now())))
  }
  return {
    find(account) {
      const [known, store] = [read.get(account), stores.get(account)]
      if (known || !store) return known
      try {
        read.set(account, openers[system](store, now, address) as AccountSystem<SandboxSystem>)
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
async function seedOf(system: SandboxSystem, now: Date): Promise<DocumentSeed> {
  if (system === 'inventory') return (await import('./inventory/inventory-seed.ts')).inventorySeed(now)
  if (system === 'pricing') return (await import('./pricing/pricing-seed.ts')).pricingSeed(now)
  return (await import('./accounting/accounting-seed.ts')).accountingSeed(now)
}
