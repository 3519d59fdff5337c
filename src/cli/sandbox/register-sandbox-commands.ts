import type { Command } from 'commander'
import { createLazyAction } from '../lazy-action.ts'
import type { ControlTargetOptions } from './control-target.ts'

const goods = () => import('./product-commands.ts')
const invoices = () => import('./invoice-commands.ts')
const orders = () => import('./order-commands.ts')

const ORDER = "the ledger's id (SO-…), the id that Forecourt gave at checkout (ord_…), or last"
const INVOICE = "the ledger's id (IN-…), or last"

/** The commands that change a running embedded back office, so that events follow. */
export function registerSandboxCommands(sandbox: Command, withSandboxPort: (command: Command) => Command): void {
  const adding = (words: string, description: string) =>
    withSandboxPort(sandbox.command(words))
      .description(description)
      .option('--merchant <id>', 'the merchant whose sandbox it is', 'demo')

  const one =
    <T extends ControlTargetOptions>(act: (name: string, options: T) => Promise<void>) =>
    (name: string, _: unknown, command: Command) =>
      act(name, merged(command))
  const two =
    (act: (name: string, value: string, options: ControlTargetOptions) => Promise<void>) =>
    (name: string, value: string, _: unknown, command: Command) =>
      act(name, value, merged(command))

  adding('orders', 'list the newest 20 orders')
    .option('--json', 'print JSON')
    .action(async (_, command) => (await orders()).runSandboxOrders(merged(command)))
  adding('ship', 'send a parcel, of all that is open unless told otherwise')
    .argument('<order>', ORDER)
    .option('--sku <sku>', 'of this SKU alone')
    .option('--quantity <n>', 'and so many of it (default: all that are open)')
    .action(one(createLazyAction(orders, 'runSandboxShip')))
  adding('deliver', 'have an order arrive that has left')
    .argument('<order>', ORDER)
    .action(one(createLazyAction(orders, 'runSandboxDeliver')))
  adding('cancel', 'cancel an order that nothing has left of')
    .argument('<order>', ORDER)
    .action(one(createLazyAction(orders, 'runSandboxCancel')))
  adding('reject', 'refuse an order that is PENDING')
    .argument('<order>', ORDER)
    .action(one(createLazyAction(orders, 'runSandboxReject')))
  adding('invoice', 'invoice a whole order; again, when its invoice is void')
    .argument('<order>', ORDER)
    .action(one(createLazyAction(invoices, 'runSandboxInvoice')))
  adding('settle', 'pay an invoice')
    .argument('<invoice>', INVOICE)
    .option('--amount <amount>', 'not more than this (default: all that is open)')
    .action(one(createLazyAction(invoices, 'runSandboxSettle')))
  adding('void', 'take back an invoice that nothing was paid of')
    .argument('<invoice>', INVOICE)
    .action(one(createLazyAction(invoices, 'runSandboxVoid')))
  adding(
    'stock <sku> <quantity>',
    'set what is available of a SKU, in its base unit; below 0 too, as an ERP has it that sold more than there is',
  ).action(two(createLazyAction(goods, 'runSandboxStock')))
  adding('price <sku> <amount>', 'set the list price of a SKU, for its base unit; one without a price gets it').action(
    two(createLazyAction(goods, 'runSandboxPrice')),
  )
  adding('withdraw <sku>', 'take a product out of the catalog').action(
    one(createLazyAction(goods, 'runSandboxWithdraw')),
  )
  adding('restore <sku>', 'put a withdrawn product back').action(one(createLazyAction(goods, 'runSandboxRestore')))
}

/** An option of `sandbox` may stand before the name of the command too. */
const merged = <T extends ControlTargetOptions>(command: Command): T => ({
  ...command.parent?.opts<T>(),
  ...command.opts<T>(),
})
