/** The behavior of `nomen load`, the same on every database. */
import { batchLoadSuite } from './bulk/batch-load-suite.ts'
import { loadSuite } from './bulk/load-suite.ts'
import { referenceLoadSuite } from './bulk/reference-load-suite.ts'
import { repeatedLoadSuite } from './bulk/repeated-load-suite.ts'
import { tenantLoadSuite } from './bulk/tenant-load-suite.ts'
import { tenantModelSuite } from './bulk/tenant-model-suite.ts'
import type { MakeDatabase } from './bulk-bench.ts'

export function bulkSuite(title: string, make: MakeDatabase): void {
  loadSuite(title, make)
  batchLoadSuite(title, make)
  repeatedLoadSuite(title, make)
  referenceLoadSuite(title, make)
  tenantLoadSuite(title, make)
  tenantModelSuite(title, make)
}
