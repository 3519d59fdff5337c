import type { Command } from 'commander'
import { createLazyAction } from '../lazy-action.ts'
import { addExample } from '../shared-options.ts'

const serviceCommands = () => import('./service-commands.ts')

/** Declares `forecourt service …`. */
export function registerServiceCommands(program: Command): void {
  const service = program.command('service').description('install or remove the systemd service')
  const install = service
    .command('install')
    .description('install the systemd units, the account “forecourt”, its folders and log rotation')
    .option('--root <folder>', 'only write the files, below this folder')
    .action(createLazyAction(serviceCommands, 'runServiceInstall'))
  addExample(install, 'service install', 'service install --root /tmp/look')
  service
    .command('remove')
    .description('stop the service and remove what was installed; configuration, data and log stay')
    .option('--root <folder>', 'only remove the files, below this folder')
    .action(createLazyAction(serviceCommands, 'runServiceRemove'))
}
