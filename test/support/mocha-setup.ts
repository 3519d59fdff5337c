import fc from 'fast-check'
import { dropTestDatabases, templateDatabaseName } from './postgres-template.ts'

/** Properties are tried with the same examples at every run, so that a change is what makes one fail; SEED=<n> tries others. */
fc.configureGlobal({ seed: Number(process.env.SEED ?? 20_261_121) })

export const mochaGlobalSetup = () => void templateDatabaseName()
export const mochaGlobalTeardown = dropTestDatabases
