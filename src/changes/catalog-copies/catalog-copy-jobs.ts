import type { ChangeJob, ChangeJobContext } from '../feed/change-job.ts'
import { createFitmentCopyJob } from './fitment-copy-job.ts'
import { createImportedReferenceCopyJob } from './imported-reference-copy-job.ts'

/** Creates the jobs that copy references and fitment into the tenant's catalog. The change feeds of the systems do not contain them. */
export const createCatalogCopyJobs = (context: ChangeJobContext): ChangeJob[] => [
  createImportedReferenceCopyJob(context),
  createFitmentCopyJob(context),
]
