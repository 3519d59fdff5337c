import { forecourtCommand } from '../../installed-command-line.ts'
import {
  readStoredProduct,
  restoreProduct,
  setStock,
  withdrawProduct,
} from '../../sandbox/control/inventory-control-client.ts'
import { readListPrice, setPrice } from '../../sandbox/control/pricing-control-client.ts'
import { print } from '../print.ts'
import { UsageError } from '../usage-error.ts'
import {
  type ControlTarget,
  type ControlTargetOptions,
  isControlNotFound,
  withControlTarget,
} from './control-target.ts'

/** Sets the available quantity of a SKU. The expected quantity stays. */
export async function runSandboxStock(sku: string, quantity: string, options: ControlTargetOptions): Promise<void> {
  const available = Number(quantity)
  if (!/^-?\d{1,12}(\.\d{1,6})?$/.test(quantity))
    throw new UsageError(`<quantity> takes a number such as 12, not "${quantity}"`)
  await withControlTarget('inventory', options, async (target) => {
    await requireProduct(sku, target)
    await setStock(target.controlUrl, target.account, sku, { available })
  })
  print(`${sku} has ${available} available. Event: stock.changed, if its availability band changed`)
}

/** Sets the list price of a SKU, without quantity breaks. */
export async function runSandboxPrice(sku: string, amount: string, options: ControlTargetOptions): Promise<void> {
  if (!/^\d{1,15}(\.\d{1,6})?$/.test(amount))
    throw new UsageError(`<amount> takes a decimal number such as 1500.00, not "${amount}"`)
  const previous = await withControlTarget('pricing', options, ({ controlUrl, account }) =>
    readListPrice(controlUrl, account, sku).catch((error) => {
      if (isControlNotFound(error)) return null
      throw error
    }),
  )
  // Pricing does not know the unit of a product without a price.
  const uom = previous ? undefined : await readBaseUnit(sku, options)
  await withControlTarget('pricing', options, ({ controlUrl, account }) =>
    setPrice(controlUrl, account, sku, amount, uom),
  )
  const change = previous ? `before: ${previous.amount}` : 'it had no price before'
  print(
    `${sku} has the list price ${amount} without quantity breaks (${change}). Contract prices stay as they are. Event: product.updated`,
  )
}

const readBaseUnit = (sku: string, options: ControlTargetOptions) =>
  withControlTarget('inventory', options, async (target) => (await requireProduct(sku, target)).uom)

/** Removes a product from the catalog. */
export async function runSandboxWithdraw(sku: string, options: ControlTargetOptions): Promise<void> {
  await withControlTarget('inventory', options, async (target) => {
    if (!(await requireProduct(sku, target)).active)
      throw new UsageError(
        `${sku} is already withdrawn. To restore it: ${forecourtCommand} sandbox restore ${sku}${target.hintOptions}`,
      )
    await withdrawProduct(target.controlUrl, target.account, sku)
  })
  print(`${sku} is withdrawn from the catalog. Event: product.deactivated`)
}

/** Puts a withdrawn product back into the catalog. */
export async function runSandboxRestore(sku: string, options: ControlTargetOptions): Promise<void> {
  await withControlTarget('inventory', options, async (target) => {
    if ((await requireProduct(sku, target)).active) throw new UsageError(`${sku} is already in the catalog`)
    await restoreProduct(target.controlUrl, target.account, sku)
  })
  print(`${sku} is in the catalog again. Event: product.updated`)
}

const requireProduct = (sku: string, target: ControlTarget) =>
  readStoredProduct(target.controlUrl, target.account, sku).catch((error) => {
    throw isControlNotFound(error) ? createUnknownSkuError(sku, target) : error
  })

const createUnknownSkuError = (sku: string, { account, hintPortOption }: ControlTarget): UsageError =>
  new UsageError(
    `There is no product with SKU "${sku}" in the sandbox of ${account}. To list some SKUs: ${forecourtCommand} sandbox${hintPortOption} outcomes`,
  )
