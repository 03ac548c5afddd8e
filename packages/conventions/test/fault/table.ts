/** All deviations of the library from the conventions, each with exactly the checks that must catch it. */

import { documentFaults } from './document.ts'
import type { Fault } from './fault.ts'
import { filterFaults } from './filter.ts'
import { invalidRequestFaults } from './invalid-request.ts'
import { pagingFaults } from './paging.ts'
import { recordFaults } from './record.ts'
import { responseFaults } from './response.ts'
import { writeFaults } from './write.ts'

export const faults: readonly Fault[] = [
  ...documentFaults,
  ...pagingFaults,
  ...filterFaults,
  ...recordFaults,
  ...invalidRequestFaults,
  ...writeFaults,
  ...responseFaults,
]
