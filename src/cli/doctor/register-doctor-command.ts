import type { Command } from 'commander'
import { createLazyAction } from '../lazy-action.ts'
import { addExample, addSandboxPortOption, addStoreOptions } from '../shared-options.ts'

/** Declares `forecourt doctor`. */
export function registerDoctorCommand(program: Command): void {
  const doctor = addSandboxPortOption(addStoreOptions(program.command('doctor')))
    .description('check the configured systems without changing them: print what is wrong and how to fix it')
    .option('--merchant <id>', 'check only this merchant')
    .option(
      '--mode <mode>',
      'live or sandbox (default: all that the configuration has systems for; with --mode sandbox also the embedded back office)',
    )
    .option('--system <systems>', 'check only these, separated by commas: inventory, pricing, accounting, fitment')
    .option('--customer <id or email>', 'the customer for calls that need one (default: one from accounting)')
    .option('--sample <n>', 'how many products to check: a number, or all', '1000')
    .option('--timeout <ms>', 'the timeout for one call (default: twice the timeout_ms of the system, at least 3000)')
    .option('--within <seconds>', 'the time limit for the whole check (default: 120; 1800 with --sample all)')
    .option('--strict', 'exit with 1 for warnings too, not only for errors')
    .action(createLazyAction(() => import('./doctor-command.ts'), 'runDoctor'))
  addExample(doctor, 'doctor --merchant acme --mode live --system inventory,pricing')
}
