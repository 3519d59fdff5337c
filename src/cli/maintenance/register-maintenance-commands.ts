import type { Command } from 'commander'
import { createLazyAction } from '../lazy-action.ts'
import { addExample, addStoreOptions } from '../shared-options.ts'

const maintenanceCommands = () => import('./maintenance-commands.ts')

/** Declares `forecourt maintenance …`. */
export function registerMaintenanceCommands(program: Command): void {
  const maintenance = program
    .command('maintenance')
    .description('plan the maintenance of a system: no calls are made to it, and nobody is alerted')
  const declare = (name: string, description: string) =>
    addStoreOptions(maintenance.command(name))
      .description(description)
      .argument('<merchant>', 'the merchant')
      .argument('<system>', 'inventory, pricing, accounting or fitment')
      .option('--mode <mode>', 'live or sandbox', 'live')

  const start = declare('start', 'begin maintenance now; it ends on its own')
    .requiredOption(
      '--until <time>',
      'when it ends: an RFC 3339 time, or a duration such as 90m; at most 7 days from now',
    )
    .action(createLazyAction(maintenanceCommands, 'runMaintenanceStart'))
  addExample(start, 'maintenance start acme accounting --until 90m')

  declare('end', 'end maintenance now').action(createLazyAction(maintenanceCommands, 'runMaintenanceEnd'))

  addStoreOptions(maintenance.command('list'))
    .description('list the maintenance that is under way')
    .action(createLazyAction(maintenanceCommands, 'runMaintenanceList'))
}
