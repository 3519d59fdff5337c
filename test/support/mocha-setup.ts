import fc from 'fast-check'
import { dropTestDatabases, templateDatabaseName } from './drop-test-databases.ts'

/** Property tests use the same examples in every run, so that only a change makes one fail; SEED=<n> uses others. */
fc.configureGlobal({ seed: Number(process.env.SEED ?? 20_261_121), includeErrorInReport: true })

export const mochaGlobalSetup = () => void templateDatabaseName()
export const mochaGlobalTeardown = dropTestDatabases
